import type { DeskComment, DeskCommentAuthor, DeskCommentQuery } from '@tidings/contracts/desk/comments'
import {
  fail as failComment,
  listForModeration,
  lockAuthor,
  lockComment,
  type ModeratedComment,
  setAuthorHidden,
  setHidden,
} from '#features/comments/index.ts'
import type { DeskDeps } from '../changes/desk.deps.ts'
import { fail } from '../desk.errors.ts'
import { type DeskReply, replyWith } from '../desk-reply.ts'
import { requireScope } from '../requests/editor.ts'
import type { Requester } from '../requests/register-desk.ts'
import { formatCursor, mergeNewest, parseCursor } from './newest-comments.ts'

type Deps = Pick<DeskDeps, 'database' | 'changes' | 'clock'>

export type CommentDesk = ReturnType<typeof createCommentDesk>

/** Lets editors read all comments, and hide or show a comment or all comments of a member. */
export function createCommentDesk({ database, changes, clock }: Deps) {
  return {
    async list({ limit, after, channelKey, memberId, hidden }: DeskCommentQuery): Promise<DeskReply> {
      const filter = {
        channelKey: channelKey ?? null,
        memberId: memberId ?? null,
        hidden: hidden === undefined ? null : hidden === 'true',
      }
      const cursor = parseCursor(after)
      const [posts, threads] = await Promise.all([
        listForModeration(database.db, 'post', filter, { before: cursor.post, limit: limit + 1 }),
        listForModeration(database.db, 'thread', filter, { before: cursor.thread, limit: limit + 1 }),
      ])
      const merged = mergeNewest(posts, threads)
      const page = merged.slice(0, limit)
      const next = merged.length > limit ? formatCursor(cursor, page) : null
      return { status: 200, body: { data: page.map(toDeskComment), next }, etag: null }
    },

    /** Throws `comment-not-found`. A request that changes nothing is not audited. */
    async moderate(requester: Requester, id: string, hidden: boolean): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        requireScope(requester.editor, 'publish')
        const comment = await lockComment(tx, id)
        if (comment === null) throw failComment('comment-not-found')
        const hiddenAt = hidden ? (comment.hidden_at ?? clock.now()) : null
        if (hidden !== (comment.hidden_at !== null)) {
          await setHidden(tx, comment.kind, id, hiddenAt)
          const { kind, member_id: memberId, content } = comment
          await audit(hidden ? 'comment.hide' : 'comment.show', id, { kind, memberId, content })
        }
        return replyWith(toDeskComment({ ...comment, hidden_at: hiddenAt }))
      })
    },

    /** Throws `member-not-found`. */
    async moderateAuthor(requester: Requester, memberId: string, hidden: boolean): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        requireScope(requester.editor, 'publish')
        const author = await lockAuthor(tx, memberId)
        if (author === null) throw fail('member-not-found')
        const hiddenAt = hidden ? (author.hiddenAt ?? clock.now()) : null
        if (hidden !== (author.hiddenAt !== null)) {
          await setAuthorHidden(tx, memberId, hiddenAt)
          await audit(hidden ? 'comment-author.hide' : 'comment-author.show', memberId, {})
        }
        const data: DeskCommentAuthor = { memberId, hidden, hiddenAt: hiddenAt?.toISOString() ?? null }
        return replyWith(data)
      })
    },
  }
}

function toDeskComment(row: ModeratedComment): DeskComment {
  return {
    id: row.id,
    kind: row.kind,
    appId: row.app_id,
    channelKey: row.channel_key,
    postId: row.post_id,
    memberId: row.member_id,
    content: row.content,
    hidden: row.hidden_at !== null,
    authorHidden: row.author_hidden_at !== null,
    createdAt: row.created_at.toISOString(),
    editedAt: row.edited_at?.toISOString() ?? null,
  }
}
