import type { ArticleChange, ArticleDraft, ArticleQuery } from '@tidings/contracts/desk/articles'
import {
  type ArticleRow,
  articleFields,
  createArticle,
  getArticle,
  listArticles,
  lockArticle,
  removeArticle,
  toDeskArticle,
  toDeskSummary,
  updateArticle,
} from '#features/articles/index.ts'
import { boundsOfDay } from '#features/editions/index.ts'
import { articlePicturesCacheKey } from '#features/media/index.ts'
import { missingFields } from '#features/memos/index.ts'
import { requireGroup } from '#features/secure-content/index.ts'
import type { Db } from '#platform/database.ts'
import { fromDatabaseDate } from '#platform/database-date.ts'
import { mapDefined } from '#platform/fields.ts'
import type { DeskDeps } from '../changes/desk.deps.ts'
import { fail } from '../desk.errors.ts'
import { cleanedReply, type DeskReply, pageReply, replyWith, versionedReply } from '../desk-reply.ts'
import { announce, toActor } from '../events/announce.ts'
import { requireScope, requireScopeFor } from '../requests/editor.ts'
import { type Requester, requireVersion } from '../requests/register-desk.ts'

type Deps = Pick<DeskDeps, 'database' | 'changes' | 'media' | 'siteLanguage' | 'clock' | 'invalidation'> & {
  /** The app whose content groups the articles belong to. */
  siteAppId: string
  timeZone: string
}

const pictures = { at: [articlePicturesCacheKey] }

type Status = ArticleRow['status']

export type ArticleDesk = ReturnType<typeof createArticleDesk>

/** Lets editors read and change gated articles. */
export function createArticleDesk({
  database,
  changes,
  media,
  siteAppId,
  siteLanguage,
  timeZone,
  clock,
  invalidation,
}: Deps) {
  const boundsOf = (day: string | undefined) =>
    day === undefined ? null : boundsOfDay(fromDatabaseDate(new Date(day)), timeZone)

  return {
    async list({ limit, after, from, to, status, q }: ArticleQuery): Promise<DeskReply> {
      const page = { limit: limit + 1, before: after ?? null }
      const days = { from: boundsOf(from)?.from, until: boundsOf(to)?.until }
      const rows = await listArticles(database.db, page, { status, q, ...days })
      return pageReply(rows, limit, { map: toDeskSummary, next: ({ id }) => id })
    },

    async read(id: string): Promise<DeskReply> {
      return versionedReply(toDeskArticle(await getArticle(database.db, id)))
    },

    async create(requester: Requester, draft: ArticleDraft): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        requireScope(requester.editor, draft.status === 'published' ? 'publish' : 'write')
        const content = mapDefined(draft, articleFields(draft.language || siteLanguage))
        await media.require(tx, content.mediaFile)
        const groupId = await requireGroup(tx, siteAppId, draft.group)
        const status = statusColumns(draft.status, null, clock.now())
        if (draft.status === 'published') requireText(content, null)
        const article = await createArticle(tx, { ...content, ...status, groupId })
        await invalidation.invalidate(tx, pictures)
        await audit('article.create', article.id, { title: article.title, status: article.status })
        await announceArticle(tx, requester, article)
        return cleanedReply(toDeskArticle(article), 201, { memo_content: draft.memo_content })
      })
    },

    async change(
      requester: Requester,
      id: string,
      change: ArticleChange,
      version: number | null,
    ): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const article = await lockArticle(tx, id)
        requireVersion(version, article.version, { reply: { current: toDeskArticle(article) } })
        const { group, status = article.status, language = article.language } = change
        requireScopeFor(requester.editor, article.status, status)
        const content = mapDefined(change, articleFields(language || siteLanguage))
        await media.require(tx, content.mediaFile)
        const groupId = group === undefined ? article.groupId : await requireGroup(tx, siteAppId, group)
        if (status === 'published') requireText({ ...article, ...content }, id)
        const stored = await updateArticle(tx, id, {
          ...content,
          ...statusColumns(status, article.publishedAt, clock.now()),
          groupId,
        })
        await invalidation.invalidate(tx, pictures)
        await audit('article.change', id, { before: toDeskArticle(article), changed: Object.keys(change) })
        await announceArticle(tx, requester, stored)
        return cleanedReply(toDeskArticle(stored), 200, { memo_content: change.memo_content })
      })
    },

    async publish(requester: Requester, id: string): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        requireScope(requester.editor, 'publish')
        const article = await lockArticle(tx, id)
        if (article.status === 'published') return versionedReply(toDeskArticle(article))
        requireText(article, id)
        const stored = await updateArticle(
          tx,
          id,
          statusColumns('published', article.publishedAt, clock.now()),
        )
        await invalidation.invalidate(tx, pictures)
        await audit('article.publish', id, { title: article.title })
        await announceArticle(tx, requester, stored)
        return versionedReply(toDeskArticle(stored))
      })
    },

    async remove(requester: Requester, id: string, version: number | null): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const article = await lockArticle(tx, id)
        requireVersion(version, article.version, { reply: { current: toDeskArticle(article) } })
        requireScopeFor(requester.editor, article.status, article.status)
        await removeArticle(tx, id)
        await invalidation.invalidate(tx, pictures)
        await audit('article.remove', id, { article: toDeskArticle(article) })
        await announceArticle(tx, requester, { id, version: null })
        return replyWith({ id })
      })
    },
  }
}

/** Tells open desks about an article; `version` is null once it is deleted. */
async function announceArticle(
  tx: Db,
  { editor }: Requester,
  { id, version }: { id: string; version: number | null },
): Promise<void> {
  await announce(tx, { type: 'article', article: id, version, by: toActor(editor) })
}

/** Throws `incomplete` if readers of the article would miss something. `id` is null before it is stored. */
function requireText({ title, content }: { title: string; content: string }, id: string | null): void {
  const fields = missingFields({ title, memo_content: content })
  if (fields.length > 0) throw fail('incomplete', [{ id, place: null, fields }])
}

function statusColumns(
  status: Status,
  publishedAt: Date | null,
  now: Date,
): Pick<ArticleRow, 'status' | 'publishedAt'> {
  return { status, publishedAt: status === 'published' ? (publishedAt ?? now) : null }
}
