import { useQuery } from '@tanstack/react-query'
import * as routes from '@tidings/contracts/desk/routes'
import type { ArticleText, ArticleWorkingCopy } from '@tidings/contracts/desk/writing/article-writing'
import type { OpenText } from '#features/writing/open-text.ts'
import { createTextDrafts, newerOf } from '#features/writing/text-drafts.ts'
import { useOpenText } from '#features/writing/use-open-text.ts'
import { call } from '#lib/api/call.ts'
import { articleCopyQuery } from './article-calls.ts'
import { isArticleCopy, storedArticle } from './article-fields.ts'

/** The open article: what is typed, and what the server has. */
export type OpenArticle = OpenText<ArticleText>

const drafts = createTextDrafts<ArticleWorkingCopy, ArticleText>({
  stored: storedArticle,
  isCopy: isArticleCopy,
  save: async (id, body, options) =>
    (await call(routes.saveArticleCopy, { params: { id }, body }, options)).data,
  onSaved: (queryClient, copy) =>
    queryClient.setQueryData(articleCopyQuery(copy.id).queryKey, (known) => newerOf(known, copy)),
})

/** Opens an article for writing, and saves it when it is left. */
export function useArticle(id: string | null): {
  open: OpenArticle | null
  copy: ArticleWorkingCopy | undefined
  error: Error | null
} {
  const read = useQuery({ ...articleCopyQuery(id ?? ''), enabled: id !== null })
  return { ...useOpenText(id, { read, drafts, stored: storedArticle }), copy: read.data }
}
