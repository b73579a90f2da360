import { z } from 'zod'
import { listSettingValues, type SettingValue, settingNames } from './setting.ts'
import { type Settings, settings } from './settings.ts'

type Environment = Record<string, string | undefined>

/** A setting that is missing or malformed; the message names each one. Ends the boot. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError'
}

/**
 * Parses the settings. An empty value counts as not set, except for `SITE_PASSWORD`, where empty means that no reader
 * passes the gate. Throws {@link ConfigurationError} with the name of each invalid setting, never its value.
 */
export function readSettings(environment: Environment): Settings {
  const result = settings.safeParse(valuesOf(settings, environment))
  if (result.success) return result.data
  const lines = result.error.issues.map(({ path, message }) => `  ${nameAt(settings, path)}: ${message}`)
  throw new ConfigurationError(`These settings cannot be used:\n${lines.join('\n')}`)
}

/** Returns the settings that are set, as texts; fingerprints in place of secrets. */
export function processSettingValues(siteSecret: string): SettingValue[] {
  return listSettingValues(settings, process.env, siteSecret)
}

/** Returns the settings of this process: the only reader of its environment. */
export function processSettings(): Settings {
  return readSettings(process.env)
}

function valuesOf(schema: z.ZodObject, environment: Environment): object {
  return Object.fromEntries(
    Object.entries(schema.shape).map(([key, part]) => {
      if (part instanceof z.ZodObject) return [key, valuesOf(part, environment)]
      const { name, fallback } = nameOf(part)
      const value = environment[name]
      return [
        key,
        value === '' && name !== 'SITE_PASSWORD' ? (fallback ?? undefined) : (value ?? fallback ?? undefined),
      ]
    }),
  )
}

function nameAt(schema: z.ZodObject, [key, ...rest]: readonly PropertyKey[]): string {
  const part = schema.shape[String(key)]
  if (part instanceof z.ZodObject) return nameAt(part, rest)
  return part === undefined ? String(key) : nameOf(part).name
}

function nameOf(schema: z.core.$ZodType) {
  const found = settingNames.get(schema)
  if (found === undefined) throw new Error('A setting was declared without a name')
  return found
}
