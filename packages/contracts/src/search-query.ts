import * as z from 'zod/mini'
import { limits } from './limits.ts'

// Apart from the reply, because only the server parses it.

const mustBeText = 'must be given once'

/** Query of `GET /edition/search`. */
export const searchQuery = z.object({
  q: z
    .string('must be given once, with the words to look for')
    .check(
      z.trim(),
      z.minLength(1, 'must not be empty'),
      z.maxLength(limits.searchCharacters, `must have ${limits.searchCharacters} characters at most`),
      z.describe('Words; "quoted" ones stand together, OR separates alternatives, and -word excludes one'),
    ),
  from: z.optional(z.string(mustBeText).check(z.describe('The first day, MM-DD-YY'))),
  to: z.optional(z.string(mustBeText).check(z.describe('The last day, MM-DD-YY'))),
  after: z.optional(z.string(mustBeText).check(z.describe("The 'next' of the page before"))),
})
