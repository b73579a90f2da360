import { z } from 'zod'
import { editionStatus } from '../editions.ts'

/** The words of a search of the desk. */
export const findText = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not hold control characters or halves of characters')
  .regex(/[\p{L}\p{N}]/u, 'must have a letter or a digit')
  .describe(
    'Words that must all occur, in any field and any part of a word; drafts are searched too. One or two letters or digits are found at the beginning of a word; in scripts without spaces between words, such as Chinese and Japanese, they are found everywhere',
  )

/** The statuses by which editions are found. Withdrawn ones are drafts that readers had. */
export const findStatus = z.enum([...editionStatus.options, 'withdrawn'])

/** A day in the time zone of the site. */
export const findDay = z.iso.date().startsWith('20', 'must be a day from 2000 to 2099, such as 2026-11-28')

/** The first and the last day of a list. */
export const findDays = {
  from: findDay.optional().describe('The first day, in the time zone of the site'),
  to: findDay.optional().describe('The last day'),
}

/** The person who saved what a list has. */
export const findPerson = z.uuid("must be a person's id")

const cursor = "must be the 'next' of the page before"
const uuid = '[\\da-f]{8}(-[\\da-f]{4}){3}-[\\da-f]{12}'

/** A place in a list: the day or instant of a row, ISO 8601, and its id. It stays valid when that row is gone. */
export type ListPlace = { at: string; id: string }

/** Writes a place as the `next` of a page. */
export function formatPlace({ at, id }: ListPlace): string {
  return `${at}_${id}`
}

/** Reads the `next` of the page before; null for the first page. */
export function parsePlace(after: string | undefined): ListPlace | null {
  if (after === undefined) return null
  const [at = '', id = ''] = after.split('_')
  return { at, id }
}

/** The `next` of a list that is ordered by day. */
export const afterDay = placeOf(z.iso.date().startsWith('20'))

/** The `next` of a list that is ordered by time. */
export const afterInstant = placeOf(z.iso.datetime({ precision: 3 }).startsWith('20'))

function placeOf(at: z.ZodType<string>) {
  return z
    .string()
    .regex(new RegExp(`^[^_]+_${uuid}$`), cursor)
    .refine((place) => at.safeParse(parsePlace(place)?.at).success, cursor)
    .optional()
}
