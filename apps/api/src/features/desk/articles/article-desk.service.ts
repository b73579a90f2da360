import type { ArticleChange, ArticleDraft, DeskArticle } from '@tidings/contracts/desk'
import {
  type ArticleContent,
  ArticleNotFoundError,
  type ArticleRow,
  createArticle,
  findArticle,
  listArticles,
  lockArticle,
  removeArticle,
  updateArticle,
} from '#features/articles/index.ts'
import type { MediaService } from '#features/media/index.ts'
import type { Invalidation } from '#platform/cache/invalidation.ts'
import { cacheKeys } from '#platform/cache-keys.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Db } from '#platform/database.ts'
import type { Asker, Changes, DeskReply } from '../changes/changes.service.ts'
import { holdGroupNamed } from '../content/group-field.ts'
import { toArticleChange, toArticleContent, toDeskArticle } from '../desk.mapper.ts'
import { removedFrom } from '../html-field.ts'
import { type Editor, requireScope } from '../keys/editor-keys.service.ts'
import { formatVersion, parseIfMatch, requireVersion } from '../version-tag.ts'

type Deps = {
  database: Database
  changes: Changes
  media: MediaService
  /** The app whose content groups the articles belong to. */
  siteAppId: string
  clock: Clock
  invalidation: Invalidation
}

/** What editors do with gated articles. `ifMatch` is the header as it came. */
export type ArticleDesk = {
  list(page: { limit: number; after: string | undefined }): Promise<{
    data: DeskArticle[]
    next: string | null
  }>
  read(id: string): Promise<DeskArticle>
  create(asker: Asker, draft: ArticleDraft): Promise<DeskReply>
  change(asker: Asker, id: string, change: ArticleChange, ifMatch: string | undefined): Promise<DeskReply>
  publish(asker: Asker, id: string): Promise<DeskReply>
  remove(asker: Asker, id: string, ifMatch: string | undefined): Promise<DeskReply>
}

export function createArticleDesk(deps: Deps): ArticleDesk {
  const { database, changes, media, siteAppId, clock, invalidation } = deps
  const pictures = { at: [cacheKeys.articlePictures] }

  async function lock(tx: Db, id: string): Promise<ArticleRow> {
    const article = await lockArticle(tx, id)
    if (article === null) throw new ArticleNotFoundError()
    return article
  }

  function statusChange(
    article: Pick<ArticleRow, 'status' | 'publishedAt'>,
    status: ArticleRow['status'] | undefined,
  ): Partial<ArticleContent> {
    if (status === undefined || status === article.status) return {}
    return status === 'published'
      ? { status, publishedAt: article.publishedAt ?? clock.now() }
      : { status, publishedAt: null }
  }

  return {
    async list({ limit, after }) {
      const rows = await listArticles(database.db, { limit: limit + 1, before: after ?? null })
      const page = rows.slice(0, limit)
      return { data: page.map(toDeskArticle), next: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
    },

    async read(id) {
      const article = await findArticle(database.db, id)
      if (article === null) throw new ArticleNotFoundError()
      return toDeskArticle(article)
    },

    create: (asker, draft) =>
      changes.make(asker, async (tx, audit) => {
        requireScope(asker.editor, draft.status === 'published' ? 'publish' : 'write')
        const content = toArticleContent(draft)
        await media.require(tx, content.mediaFile)
        const groupId = await holdGroupNamed(tx, siteAppId, draft.group)
        const publishedAt = draft.status === 'published' ? clock.now() : null
        const article = await createArticle(tx, { ...content, groupId, status: draft.status, publishedAt })
        await invalidation.invalidate(tx, pictures)
        await audit('article.create', article.id, { title: article.title, status: article.status })
        return writtenReplyOf(article, 201, draft)
      }),

    async change(asker, id, change, ifMatch) {
      const version = parseIfMatch(ifMatch)
      return await changes.make(asker, async (tx, audit) => {
        const article = await lock(tx, id)
        requireVersion(version, article.version)
        requirePublish(asker.editor, article, change.status)
        const content = toArticleChange(change)
        await media.require(tx, content.mediaFile)
        const group =
          change.group === undefined ? {} : { groupId: await holdGroupNamed(tx, siteAppId, change.group) }
        const status = statusChange(article, change.status)
        const stored = await updateArticle(tx, id, { ...content, ...group, ...status })
        await invalidation.invalidate(tx, pictures)
        await audit('article.change', id, { before: toDeskArticle(article), changed: Object.keys(change) })
        return writtenReplyOf(stored, 200, change)
      })
    },

    publish: (asker, id) =>
      changes.make(asker, async (tx, audit) => {
        requireScope(asker.editor, 'publish')
        const article = await lock(tx, id)
        if (article.status === 'published') return replyOf(article, 200)
        const stored = await updateArticle(tx, id, statusChange(article, 'published'))
        await invalidation.invalidate(tx, pictures)
        await audit('article.publish', id, { title: article.title })
        return replyOf(stored, 200)
      }),

    async remove(asker, id, ifMatch) {
      const version = parseIfMatch(ifMatch)
      return await changes.make(asker, async (tx, audit) => {
        const article = await lock(tx, id)
        requireVersion(version, article.version)
        requirePublish(asker.editor, article, undefined)
        await removeArticle(tx, id)
        await invalidation.invalidate(tx, pictures)
        await audit('article.remove', id, { article: toDeskArticle(article) })
        return { status: 200, body: { data: { id } }, etag: null }
      })
    },
  }
}

function replyOf(article: ArticleRow, status: number): DeskReply {
  return { status, body: { data: toDeskArticle(article) }, etag: formatVersion(article.version) }
}

/** The reply to a write that may carry HTML: what cleaning removed of it stands beside the article. */
function writtenReplyOf(article: ArticleRow, status: number, { memo_content }: ArticleChange): DeskReply {
  const reply = replyOf(article, status)
  return { ...reply, body: { ...reply.body, removed: removedFrom({ memo_content }) } }
}

function requirePublish(editor: Editor, article: ArticleRow, target: ArticleRow['status'] | undefined): void {
  requireScope(editor, article.status === 'draft' && target !== 'published' ? 'write' : 'publish')
}
