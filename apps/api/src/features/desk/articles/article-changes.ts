import type { ArticleChange } from '@tidings/contracts/desk/articles'
import { type ArticleRow, toArticleText, toDeskArticle } from '#features/articles/index.ts'
import type { DeskDeps } from '../changes/desk.deps.ts'
import { cleanedReply, type DeskReply } from '../desk-reply.ts'
import { requireScopeFor } from '../requests/editor.ts'
import { type Requester, requireVersion } from '../requests/register-desk.ts'
import { removeCopy } from '../writing/working-copies.repository.ts'
import { lockArticleState, unpublishedFields } from './article-state.ts'
import { type ArticleTextDeps, createArticleTexts, requireText } from './article-texts.ts'

type Status = ArticleRow['status']

/** Returns what changes an article itself, at once also for readers of a published one. */
export function createChangeArticle(deps: ArticleTextDeps & Pick<DeskDeps, 'changes'>) {
  const { changes, clock } = deps
  const texts = createArticleTexts(deps)

  return async function changeArticle(
    requester: Requester,
    id: string,
    change: ArticleChange,
    version: number | null,
  ): Promise<DeskReply> {
    return await changes.run(requester, async (tx, audit) => {
      const { editor: by } = requester
      const { article, copy } = await lockArticleState(tx, id)
      requireVersion(version, article.version, { reply: { current: toDeskArticle(article) } })
      const { status = article.status, ...written } = change
      requireScopeFor(by, article.status, status)
      // In a draft, the article is the text that people write, so a withdrawn one takes its working copy in.
      const taken = status === 'draft' ? copy : null
      const own = taken === null ? {} : await texts.withKnownGroup(tx, unpublishedFields(article, taken))
      const compared = texts.compare(toArticleText(article), { ...own, ...written })
      const columns = await texts.columnsOf(tx, compared)
      const { fields } = compared
      const html = { memo_content: change.memo_content }
      if (status === 'published') requireText(compared.text, id)
      if (fields.length === 0 && status === article.status)
        return cleanedReply(toDeskArticle(article), 200, html)
      if (taken !== null) await removeCopy(tx, id)
      const next = { ...columns, ...statusColumns(status, article.publishedAt, clock.now()) }
      const stored = await texts.change(tx, by, article, next, { fields, atLeast: copy?.version ?? 0 })
      await texts.record(tx, by, stored, article)
      const changed = Object.keys({ ...change, ...own })
      await audit('article.change', id, { before: toDeskArticle(article), changed })
      return cleanedReply(toDeskArticle(stored), 200, html)
    })
  }
}

/** Returns the columns of a status. */
export function statusColumns(
  status: Status,
  publishedAt: Date | null,
  now: Date,
): Pick<ArticleRow, 'status' | 'publishedAt'> {
  return { status, publishedAt: status === 'published' ? (publishedAt ?? now) : null }
}
