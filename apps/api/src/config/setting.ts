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
