import * as z from 'zod/mini'
import { limits } from './limits.ts'

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

/** Plain text in parts, of which some match the search. */
const searchText = z.array(z.object({ text: z.string(), match: z.boolean() }))
export type SearchText = z.infer<typeof searchText>

const shared = {
  _id: z.string(),
  date: z.string().check(z.describe('MM-DD-YY')),
  title: searchText,
  text: searchText.check(z.describe('The part of the text that matches best, or its beginning')),
  language: z.optional(z.string().check(z.describe('BCP 47; only when the editor set one'))),
}

/** A memo or an article that was found. */
const searchResult = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('memo'), time_stamp: z.string(), ...shared }),
  z.object({ kind: z.literal('article'), ...shared }),
])
export type SearchResult = z.infer<typeof searchResult>

/** Reply of `GET /edition/search`. */
export const searchReply = z.object({
  data: z.array(searchResult),
  next: z
    .nullable(z.string())
    .check(z.describe('What `after` takes for the next page; null on the last one')),
  similar: z
    .boolean()
    .check(z.describe('Whether nothing matches, and `data` are titles with similar words instead')),
})
export type SearchReply = z.infer<typeof searchReply>
