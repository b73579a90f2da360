import { z } from 'zod'

/** What `.env.example` says about one setting. */
export type SettingDoc = { name: string; fallback: string | null; meaning: string }

/** The name, default and meaning of every declared setting, by its schema. */
export const settingDocs = z.registry<SettingDoc>()

/**
 * Declares a setting: the environment variable, its default as text (null for none), its schema and its meaning for
 * `.env.example`. A setting without a meaning is explained by the one before it.
 */
export function setting<Schema extends z.ZodType>(
  name: string,
  fallback: string | null,
  schema: Schema,
  meaning = '',
): Schema {
  settingDocs.add(schema, { name, fallback, meaning })
  return schema
}

/** A setting that is any text. */
export function text(name: string, fallback: string, meaning?: string) {
  return setting(name, fallback, z.string(), meaning)
}

/** A setting that may be missing. */
export function optionalText(name: string, meaning?: string) {
  return setting(name, null, z.string().optional(), meaning)
}

/** A setting that is an http or https address, or missing (null). */
export function optionalUrl(name: string, meaning?: string) {
  const schema = z
    .url({ protocol: /^https?$/ })
    .optional()
    .transform((url) => url ?? null)
  return setting(name, null, schema, meaning)
}

/** A setting that is `on` or `off`. */
export function onOff(name: string, fallback: 'on' | 'off', meaning?: string) {
  const schema = z.enum(['on', 'off']).transform((value) => value === 'on')
  return setting(name, fallback, schema, meaning)
}

/** A setting that is one of several words. */
export function choice<const Words extends readonly [string, ...string[]]>(
  name: string,
  words: Words,
  fallback: Words[number],
  meaning?: string,
) {
  return setting(name, fallback, z.enum(words), meaning)
}

/** A setting that is a whole number. */
export function count(name: string, fallback: number, meaning?: string, [min, max] = [1, 1_000_000]) {
  return setting(name, String(fallback), z.coerce.number().int().min(min).max(max), meaning)
}

/** How many calls one requester has per window before `too-many-requests`. */
export type RateLimit = { points: number; seconds: number }

/** A setting that is a {@link RateLimit} per minute or per hour. */
export function rateLimit(name: string, points: number, window: 'minute' | 'hour', meaning?: string) {
  const seconds = window === 'minute' ? 60 : 3600
  const schema = z.coerce.number().int().min(1).max(1_000_000)
  return setting(
    name,
    String(points),
    schema.transform((points): RateLimit => ({ points, seconds })),
    meaning,
  )
}
