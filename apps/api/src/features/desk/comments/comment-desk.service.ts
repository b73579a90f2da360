import type { DeskComment, DeskCommentAuthor, DeskCommentQuery } from '@tidings/contracts/desk'
import {
  fail as failComment,
  listForModeration,
  lockAuthor,
  lockComment,
  setAuthorHidden,
  setHidden,
} from '#features/comments/index.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/database.ts'
import { AppError } from '#platform/errors.ts'
import type { Asker, Changes, DeskReply } from '../changes/changes.service.ts'
import { requireScope } from '../keys/editor-keys.service.ts'
import { toDeskComment } from './comment-desk.mapper.ts'
import { formatPlace, mergeNewest, parsePlace } from './newest-comments.ts'

type Deps = { database: Database; changes: Changes; clock: Clock }

/** What editors do with comments: read all of them, and hide or show one, or all of a member. */
export type CommentDesk = {
  list(query: DeskCommentQuery): Promise<{ data: DeskComment[]; next: string | null }>
  /** Throws `comment-not-found`. What is so already is answered, and noted nowhere. */
  moderate(asker: Asker, id: string, hidden: boolean): Promise<DeskReply>
  /** Throws `member-not-found`. */
  moderateAuthor(asker: Asker, memberId: string, hidden: boolean): Promise<DeskReply>
}

export function createCommentDesk({ database, changes, clock }: Deps): CommentDesk {
  return {
    async list({ limit, after, channelKey, memberId, hidden }) {
      const filter = {
        channelKey: channelKey ?? null,
        memberId: memberId ?? null,
        hidden: hidden === undefined ? null : hidden === 'true',
      }
      const place = parsePlace(after)
      const [posts, threads] = await Promise.all([
        listForModeration(database.db, 'post', filter, { before: place.post, limit: limit + 1 }),
        listForModeration(database.db, 'thread', filter, { before: place.thread, limit: limit + 1 }),
      ])
      const merged = mergeNewest(posts, threads)
      const page = merged.slice(0, limit)
      return { data: page.map(toDeskComment), next: merged.length > limit ? formatPlace(place, page) : null }
    },

    moderate: (asker, id, hidden) =>
      changes.make(asker, async (tx, audit) => {
        requireScope(asker.editor, 'publish')
        const comment = await lockComment(tx, id)
        if (comment === null) throw failComment('comment-not-found')
        const hiddenAt = hidden ? (comment.hidden_at ?? clock.now()) : null
        if (hidden !== (comment.hidden_at !== null)) {
          await setHidden(tx, comment.kind, id, hiddenAt)
          const { kind, member_id: memberId, content } = comment
          await audit(hidden ? 'comment.hide' : 'comment.show', id, { kind, memberId, content })
        }
        return replyOf(toDeskComment({ ...comment, hidden_at: hiddenAt }))
      }),

    moderateAuthor: (asker, memberId, hidden) =>
      changes.make(asker, async (tx, audit) => {
        requireScope(asker.editor, 'publish')
        const author = await lockAuthor(tx, memberId)
        if (author === null) throw new AppError('member-not-found', 404, 'This member does not exist.')
        const hiddenAt = hidden ? (author.hiddenAt ?? clock.now()) : null
        if (hidden !== (author.hiddenAt !== null)) {
          await setAuthorHidden(tx, memberId, hiddenAt)
          await audit(hidden ? 'comment-author.hide' : 'comment-author.show', memberId, {})
        }
        return replyOf({ memberId, hidden, hiddenAt: hiddenAt?.toISOString() ?? null })
      }),
  }
}

function replyOf(data: DeskComment | DeskCommentAuthor): DeskReply {
  return { status: 200, body: { data }, etag: null }
}
