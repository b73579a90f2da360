import type { ArticleDraft, ArticleQuery } from '@tidings/contracts/desk/articles'
import {
  createArticle,
  getArticle,
  listArticles,
  lockArticle,
  noArticleText,
  removeArticle,
  toArticleText,
  toDeskArticle,
  toDeskSummary,
} from '#features/articles/index.ts'
import { boundsOfDay } from '#features/editions/index.ts'
import { fromDatabaseDate } from '#platform/database-date.ts'
import type { DeskDeps } from '../changes/desk.deps.ts'
import { cleanedReply, type DeskReply, pageReply, replyWith, versionedReply } from '../desk-reply.ts'
import { requireScope, requireScopeFor } from '../requests/editor.ts'
import { type Requester, requireVersion } from '../requests/register-desk.ts'
import { addVersion } from '../writing/text-versions.repository.ts'
import { removeCopy } from '../writing/working-copies.repository.ts'
import { createChangeArticle, statusColumns } from './article-changes.ts'
import { lockArticleState } from './article-state.ts'
import { type ArticleTextDeps, createArticleTexts, isPublished, requireText } from './article-texts.ts'

type Deps = ArticleTextDeps & Pick<DeskDeps, 'database' | 'changes'> & { timeZone: string }

export type ArticleDesk = ReturnType<typeof createArticleDesk>

/** Lets editors read and change gated articles. */
export function createArticleDesk(deps: Deps) {
  const { database, changes, timeZone, clock } = deps
  const texts = createArticleTexts(deps)

  const boundsOf = (day: string | undefined) =>
    day === undefined ? null : boundsOfDay(fromDatabaseDate(new Date(day)), timeZone)

  return {
    async list({ limit, after, from, to, status, person, q }: ArticleQuery): Promise<DeskReply> {
      const page = { limit: limit + 1, before: after ?? null }
      const days = { from: boundsOf(from)?.from, until: boundsOf(to)?.until }
      const rows = await listArticles(database.db, page, { status, person, q, ...days })
      return pageReply(rows, limit, { map: toDeskSummary, next: ({ id }) => id })
    },

    async read(id: string): Promise<DeskReply> {
      return versionedReply(toDeskArticle(await getArticle(database.db, id)))
    },

    async create(requester: Requester, { status, ...draft }: ArticleDraft): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const { editor: by } = requester
        requireScope(by, status === 'published' ? 'publish' : 'write')
        const compared = texts.compare(noArticleText, draft)
        const columns = {
          ...(await texts.columnsOf(tx, compared)),
          ...statusColumns(status, null, clock.now()),
        }
        if (status === 'published') requireText(compared.text, null)
        const article = await createArticle(tx, { title: '', content: '', ...columns }, by)
        await texts.tell(tx, by, article, isPublished(article))
        await texts.record(tx, by, article, null)
        await audit('article.create', article.id, { title: article.title, status: article.status })
        return cleanedReply(toDeskArticle(article), 201, { memo_content: draft.memo_content })
      })
    },

    change: createChangeArticle(deps),

    async publish(requester: Requester, id: string): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const { editor: by } = requester
        requireScope(by, 'publish')
        const article = await lockArticle(tx, id)
        if (isPublished(article)) return versionedReply(toDeskArticle(article))
        requireText(toArticleText(article), id)
        const columns = statusColumns('published', article.publishedAt, clock.now())
        const stored = await texts.change(tx, by, article, columns, { fields: [] })
        await texts.record(tx, by, stored, article)
        await audit('article.publish', id, { title: article.title })
        return versionedReply(toDeskArticle(stored))
      })
    },

    async remove(requester: Requester, id: string, version: number | null): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const { editor: by } = requester
        const { article, copy } = await lockArticleState(tx, id)
        requireVersion(version, article.version, { reply: { current: toDeskArticle(article) } })
        requireScopeFor(by, article.status, article.status)
        if (copy !== null) await removeCopy(tx, id)
        await removeArticle(tx, id)
        const fields = toArticleText(article)
        await addVersion(tx, { textId: id, kind: 'deleted', fields, by, now: clock.now() })
        await texts.tell(tx, by, { id, version: null }, isPublished(article))
        await audit('article.remove', id, { article: toDeskArticle(article) })
        return replyWith({ id })
      })
    },
  }
}
