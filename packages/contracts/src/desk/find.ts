import { z } from 'zod'

/** The words of a search of the desk. */
export const findText = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not hold control characters or halves of characters')
  .describe('Words that must all occur, in any field and any part of a word; drafts are searched too')

/** A day in the time zone of the site. */
export const findDay = z.iso.date().startsWith('20', 'must be a day from 2000 to 2099, such as 2026-11-28')

/** The first and the last day of a list. */
export const findDays = {
  from: findDay.optional().describe('The first day, in the time zone of the site'),
  to: findDay.optional().describe('The last day'),
}
