import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import * as routes from './routes.ts'
import { searchQuery } from './search-query.ts'

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

export const searchEditions = endpoint(routes.searchEditions, {
  access: 'gate',
  tag: 'Editions',
  summary: 'Searches the published memos, best match first',
  description:
    "With a member's Bearer token, also the gated articles that the member may read. Only the newest 100 matches are ranked; `from` and `to` reach the others.",
  query: searchQuery,
  reply: searchReply,
})
