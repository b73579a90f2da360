import { z } from 'zod'

/** The key or person that stores a text. */
export type Saver = { id: string; name: string }

/** A change of a text: its maker, and the fields that change, by the names of the API. */
export type Stamp = { by: Saver | null; fields: readonly string[] }

/** The step to a text's next version, which is after `atLeast`. `changedAt` has fields that people changed before it. */
export type Step = Stamp & { atLeast?: number; changedAt?: Readonly<Record<string, number>> }

const versionNumbers = z.record(z.string(), z.number().int())

/** Returns the version at which each field of a text changed last. */
export function fieldVersionsOf(stored: unknown): Record<string, number> {
  return versionNumbers.parse(stored)
}

/** Returns the columns of the last save; none for a change by the site itself. */
export function savedBy(by: Saver | null): { savedById?: string; savedBy?: string } {
  return by === null ? {} : { savedById: by.id, savedBy: by.name }
}

/** Returns the columns of a change, which is the version after `atLeast` or after the text's own. */
export function stampColumns(
  text: { version: number; fieldVersions: unknown },
  { by, fields, atLeast = 0, changedAt = {} }: Step,
) {
  const version = Math.max(text.version, atLeast) + 1
  const changed = Object.fromEntries(fields.map((field) => [field, changedAt[field] ?? version]))
  return { version, fieldVersions: { ...fieldVersionsOf(text.fieldVersions), ...changed }, ...savedBy(by) }
}
