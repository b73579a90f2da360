import { createHmac } from 'node:crypto'
import { z } from 'zod'

/** The name and default of every declared setting, by its schema. */
export const settingNames = z.registry<{ name: string; fallback: string | null }>()

/**
 * Declares a setting: the environment variable, its default as text (null for none) and its schema. `describe` adds the
 * meaning for `.env.example`; a setting without one is explained by the one before it.
 */
export function setting<Schema extends z.ZodType>(
  name: string,
  fallback: string | null,
  schema: Schema,
): Schema {
  settingNames.add(schema, { name, fallback })
  return schema
}

export function text(name: string, fallback: string) {
  return setting(name, fallback, z.string())
}

/** Declares a setting that may be missing. */
export function optionalText(name: string) {
  return setting(name, null, z.string().optional())
}

/** Declares a setting that is an address, by default of http or https, or missing (null). */
export function optionalUrl(name: string, protocol = /^https?$/) {
  const schema = z
    .url({ protocol })
    .optional()
    .transform((url) => url ?? null)
  return setting(name, null, schema)
}

export function onOff(name: string, fallback: 'on' | 'off') {
  const schema = z.enum(['on', 'off']).transform((value) => value === 'on')
  return setting(name, fallback, schema)
}

export function choice<const Words extends readonly [string, ...string[]]>(
  name: string,
  words: Words,
  fallback: Words[number],
) {
  return setting(name, fallback, z.enum(words))
}

export function count(name: string, fallback: number, [min, max] = [1, 1_000_000]) {
  return setting(name, String(fallback), z.coerce.number().int().min(min).max(max))
}

/** How many calls one requester has per window before `too-many-requests`. */
export type RateLimit = { points: number; seconds: number }

/** Declares a setting that is a {@link RateLimit} per minute or per hour. */
export function rateLimit(name: string, points: number, window: 'minute' | 'hour') {
  const seconds = window === 'minute' ? 60 : 3600
  const schema = z.coerce.number().int().min(1).max(1_000_000)
  return setting(
    name,
    String(points),
    schema.transform((points): RateLimit => ({ points, seconds })),
  )
}

/** The entry of one setting in `.env.example`. */
export type SettingDoc = { name: string; fallback: string | null; meaning: string }

/** Lists all settings below a schema, in order. */
export function listSettings(schema: z.ZodObject): SettingDoc[] {
  return Object.values(schema.shape).flatMap((part: z.ZodType) => {
    if (part instanceof z.ZodObject) return listSettings(part)
    const setting = settingNames.get(part)
    return setting === undefined ? [] : [{ ...setting, meaning: part.description ?? '' }]
  })
}

/** A setting as a backup keeps it: its text, or a fingerprint in its place if it is a secret. */
export const settingValueSchema = z.object({ name: z.string(), value: z.string(), isSecret: z.boolean() })
export type SettingValue = z.infer<typeof settingValueSchema>

/** A name with one of these words is a secret, so that a new one is never stored by mistake. */
const secretWords = /KEY|SECRET|PASS|TOKEN|_SID$|_PROVIDERS$/
const publicNames = /^(PASSWORD_(?!$)|APP_PUBLIC_KEY$|CAPTCHA_SITE_KEY$|APPLE_KEY_ID$|VAPID_PUBLIC_KEY$)/
const credentials = /:\/\/[^/?#]*@/

/** Returns whether a setting must be in no backup: by its name, or because its address has a login. */
function isSecretSetting(name: string, value: string): boolean {
  return (secretWords.test(name) && !publicNames.test(name)) || credentials.test(value)
}

/** Lists the settings that are set, by name. Secrets are replaced by fingerprints, which need SITE_SECRET to compare. */
export function listSettingValues(
  schema: z.ZodObject,
  environment: Record<string, string | undefined>,
  siteSecret: string,
): SettingValue[] {
  return listSettings(schema).flatMap(({ name }): SettingValue[] => {
    const value = environment[name]
    if (value === undefined || value === '') return []
    const isSecret = isSecretSetting(name, value)
    return [{ name, value: isSecret ? fingerprint(siteSecret, name, value) : value, isSecret }]
  })
}

function fingerprint(siteSecret: string, name: string, value: string): string {
  return createHmac('sha256', siteSecret).update(`setting ${name}\n${value}`).digest('hex').slice(0, 12)
}
