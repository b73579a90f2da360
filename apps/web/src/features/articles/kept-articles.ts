import type { QueryClient } from '@tanstack/react-query'
import { urlOf } from '@tidings/contracts/endpoint'
import * as routes from '@tidings/contracts/routes'
import { memberKey } from '#lib/member/member-queries.ts'

/** First parts of the query keys of the list and of each article. */
export const articlesKey = [memberKey, 'articles'] as const

/** Returns the addresses of the gated articles, and of their list, in memory; and of their pictures that were loaded. */
export function listArticleUrls(queryClient: QueryClient): { articles: string[]; pictures: string[] } {
  const ids = queryClient
    .getQueryCache()
    .findAll({ queryKey: articlesKey, predicate: ({ state }) => state.status === 'success' })
    .map(({ queryKey: [, , id] }) => (id === undefined ? null : String(id)))
  const pictures = performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name, location.origin))
    .filter(
      ({ origin, pathname }) =>
        origin === location.origin && pathname.startsWith(routes.articlePicture.path.replace(':file', '')),
    )
    .map(({ pathname, search }) => `${pathname}${search}`)
  return {
    articles: ids.map((id) =>
      id === null
        ? urlOf(routes.listGatedArticles)
        : urlOf(routes.getGatedArticle, { params: { gatedID: id } }),
    ),
    pictures: ids.length === 0 ? [] : [...new Set(pictures)],
  }
}
