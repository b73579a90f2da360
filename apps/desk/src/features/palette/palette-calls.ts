import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import * as routes from '@tidings/contracts/desk/routes'
import { call } from '#lib/api/call.ts'

const limit = 5

/** Returns whether words can be searched for: one letter finds too much. */
export function isSearchable(words: string): boolean {
  return words.length <= 200 && /[\p{L}\p{N}].*[\p{L}\p{N}]/u.test(words)
}

/** The memos with the words, newest day first. */
export function foundMemos(words: string) {
  return queryOptions({
    queryKey: ['palette', 'memos', words],
    queryFn: async ({ signal }) =>
      (await call(routes.findMemos, { query: { q: words, limit } }, { signal })).data,
    enabled: isSearchable(words),
    placeholderData: keepPreviousData,
  })
}

/** The articles with the words. */
export function foundArticles(words: string, canOpen: boolean) {
  return queryOptions({
    queryKey: ['palette', 'articles', words],
    queryFn: async ({ signal }) =>
      (await call(routes.listDeskArticles, { query: { q: words, limit } }, { signal })).data,
    enabled: canOpen && isSearchable(words),
    placeholderData: keepPreviousData,
  })
}

/** The members with the words in their name. Each search is in the log, so it begins only when it is asked for. */
export function foundMembers(words: string | null) {
  return queryOptions({
    queryKey: ['palette', 'members', words],
    queryFn: async ({ signal }) => {
      const input = {
        query: { limit },
        body: words?.includes('@') ? { address: words } : { name: words ?? '' },
      }
      return (await call(routes.findMembers, input, { signal })).data
    },
    enabled: words !== null,
  })
}
