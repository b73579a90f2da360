import { queryOptions } from '@tanstack/react-query'
import * as routes from '@tidings/contracts/desk/routes'
import type { ArticleText } from '@tidings/contracts/desk/writing/article-writing'
import { call } from '#lib/api/call.ts'
import type { Reader } from '../state/article-words.ts'

/** An article as a kind of reader gets it. Behind a wall, the reply has nothing of the text. */
export function articlePreviewQuery(text: ArticleText, reader: Reader['reader']) {
  const who = typeof reader === 'string' ? reader : reader.plan
  return queryOptions({
    queryKey: ['article-preview', who, text],
    queryFn: async ({ signal }) =>
      (await call(routes.previewArticle, { body: { ...text, reader } }, { signal })).data,
    // The text stays while the next one is on its way, but never before another reader.
    placeholderData: (last, query) => (query?.queryKey[1] === who ? last : undefined),
    staleTime: Infinity,
    gcTime: 0,
  })
}
