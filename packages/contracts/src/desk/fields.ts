import { z } from 'zod'
import { limits } from '../limits.ts'
import { hasVisibleText } from '../membership/typed-text.ts'
import { languageTag } from '../site/language.ts'

/** A text of one line with at least one visible character. */
export function visibleLine(maxCharacters: number) {
  return z.string().trim().min(1).max(maxCharacters).refine(hasVisibleText, 'must have a visible character')
}

/** The title of a draft, which may still be empty. */
export const title = z.string().trim().max(limits.titleCharacters).describe('Plain text of one line')
export const httpUrl = z
  .url({ protocol: /^https?$/, message: 'must be an http or https URL' })
  .max(limits.sourceCharacters)
export const mediaFile = z
  .string()
  .regex(/^(|[a-z0-9]{20,40}\.jpg)$/, 'must be a file name from POST /desk/v1/media, or empty')
  .describe('The picture: a file name from POST /desk/v1/media; empty for none')
export const groupKey = z
  .string()
  .regex(/^[0-9a-z][0-9a-z-]{0,99}$/, 'must be lowercase letters, digits and hyphens, such as yearly-plan')
export const group = groupKey.nullable().describe("A content group's key; null for none")
export const caption = z.string().trim().max(limits.captionCharacters).describe('The caption of the picture')
export const altText = z
  .string()
  .trim()
  .max(limits.altTextCharacters)
  .nullable()
  .describe('Alt text of the picture; empty for a decorative one, null until it is said')
const fraction = z.number().min(0).max(1)
export const focus = z
  .strictObject({ x: fraction.describe('From the left'), y: fraction.describe('From the top') })
  .describe('The point of the picture that cropping keeps, from 0 to 1 of its width and height')
/** Cropping keeps the center of a picture unless an editor chose another point. */
export const centerFocus = { x: 0.5, y: 0.5 }

/** The subject of an edition's emails; empty for the first title in the format of the site. */
export const editionSubject = z.string().trim().max(limits.subjectCharacters)

/** The note of a correction, which readers see below the memo. */
export const note = z.string().trim().max(limits.noteCharacters)

/** HTML as it was pasted. Its limit counts what cleaning leaves. */
export const html = z.string().max(limits.uncleanedCharacters)

/** Describes a field of HTML. */
export function htmlUpTo(characters: number): string {
  return `HTML, which is cleaned: at most ${characters} characters after cleaning, ${limits.uncleanedCharacters} before`
}

export const language = z
  .union([z.literal(''), languageTag])
  .describe("BCP 47 language tag, such as ar or pt-BR; empty for the site's language")

/** Returns the schema of a change: any of the keys, and at least one. */
export function changeOf<T extends z.ZodRawShape>(keys: T) {
  return z
    .strictObject(keys)
    .partial()
    .refine((change) => Object.keys(change).length > 0, 'names nothing to change')
}

export const permissions = listOf(
  z.string().regex(/^[\w:.-]{1,100}$/, 'must be letters, digits, . : _ or -'),
).describe('Any one of them opens it; an empty list requires none')
export const plans = listOf(z.string().min(1).max(limits.planIdCharacters)).describe(
  'Plan ids, any one of which opens it; an empty list requires none',
)

/** Returns the schema of a list without duplicates. */
function listOf(schema: z.ZodString) {
  return z
    .array(schema)
    .max(limits.accessListEntries)
    .refine((entries) => new Set(entries).size === entries.length, 'must not contain duplicates')
}
