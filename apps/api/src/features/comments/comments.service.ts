import type { CommentPost, CommentThread, Vote } from '@tidings/contracts/membership/comments'
import { fail as failMembership } from '#http/membership/membership.errors.ts'
import type { Db } from '#platform/database.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { type ChannelDeps, createChannelService } from './channels.service.ts'
import { cleanComment } from './comment-text.ts'
import { fail } from './comments.errors.ts'
import { toPost, toThread } from './comments.mapper.ts'
import * as channels from './stored/channels.repository.ts'
import * as comments from './stored/comments.repository.ts'
import { createReport } from './stored/reports.repository.ts'
import type { CommentKind, CommentRow, Viewer, Writer } from './stored/visible-comments.repository.ts'

type Deps = ChannelDeps &
  Pick<PlatformDeps, 'clock' | 'ids'> & {
    siteUrl: URL
    /** BCP 47 tag of the language that comments are taken to be in. */
    siteLanguage: string
    /** Tells the open desks about a new comment. */
    announceComment: (db: Db, commentId: string, change: 'new' | 'reported') => Promise<void>
  }

export type CommentService = ReturnType<typeof createCommentService>

type WireComments = { post: CommentPost; thread: CommentThread }

const mappers: { [Kind in CommentKind]: (row: CommentRow, siteUrl: URL) => WireComments[Kind] } = {
  post: toPost,
  thread: toThread,
}

/**
 * Manages comments. Hidden ones are `comment-not-found`; writes except deletion are rate limited. Every call but the
 * deletion of one's own and leaving a channel requires access to the channel.
 */
export function createCommentService(deps: Deps) {
  const { database, clock, ids, rateLimits, channelAccess, siteUrl, siteLanguage } = deps
  const { db } = database

  function toWire<Kind extends CommentKind>(kind: Kind, row: CommentRow): WireComments[Kind] {
    return mappers[kind](row, siteUrl)
  }

  /** Throws unless the comment is visible and its channel open. */
  async function requireOpen(viewer: Viewer, kind: CommentKind, id: string): Promise<{ authorId: string }> {
    const place = existing(await comments.findPlace(db, viewer, kind, requireCommentId(id)))
    await channelAccess.require(viewer, place.channelKey)
    return place
  }

  return {
    ...createChannelService(deps),

    async listPosts(viewer: Viewer, channelKey: string, page: comments.Page) {
      await channelAccess.require(viewer, channelKey)
      const channelId = await channels.findChannel(db, viewer.appId, channelKey)
      if (channelId === null) return { posts: [], totalCount: 0 }
      const [rows, totalCount] = await Promise.all([
        comments.listComments(db, viewer, 'post', channelId, page),
        comments.countPosts(db, viewer, channelId),
      ])
      return { posts: rows.map((row) => toPost(row, siteUrl)), totalCount }
    },

    async listThreads(viewer: Viewer, postId: string, page: comments.Page) {
      await requireOpen(viewer, 'post', postId)
      const rows = await comments.listComments(db, viewer, 'thread', postId, page)
      return { threads: rows.map((row) => toThread(row, siteUrl)) }
    },

    /** Creates a post in the channel with the key `parent`, or a thread under the post with the id `parent`. */
    async create<Kind extends CommentKind>(writer: Writer, kind: Kind, parent: string, written: string) {
      await rateLimits.consume('comments', writer.memberId)
      if (kind === 'thread') requireCommentId(parent)
      const comment = {
        id: ids.public('cmt'),
        content: cleanComment(written, siteLanguage),
        createdAt: clock.now(),
      }
      if (kind === 'thread') await requireOpen(writer, 'post', parent)
      else await channelAccess.require(writer, parent)
      const parentId = kind === 'post' ? await channels.ensureChannel(db, writer.appId, parent) : parent
      const row = await comments.createComment(db, writer, kind, parentId, comment)
      // A channel is never removed, so a post fails only when its author was deleted meanwhile.
      if (row === null)
        throw kind === 'post' ? failMembership('client/invalid-token') : fail('comment-not-found')
      await deps.announceComment(db, comment.id, 'new')
      return toWire(kind, row)
    },

    /** Throws `access-denied` for the comment of another member. */
    async update<Kind extends CommentKind>(writer: Writer, kind: Kind, id: string, written: string) {
      await rateLimits.consume('comments', writer.memberId)
      const { authorId } = await requireOpen(writer, kind, id)
      if (authorId !== writer.memberId) throw fail('access-denied')
      const change = { content: cleanComment(written, siteLanguage), editedAt: clock.now() }
      return toWire(kind, existing(await comments.updateComment(db, writer, kind, id, change)))
    },

    /** Sets or removes the member's vote. Repeating a vote changes nothing. */
    async vote(writer: Writer, kind: CommentKind, id: string, vote: Vote): Promise<void> {
      await rateLimits.consume('comments', writer.memberId)
      await requireOpen(writer, kind, id)
      const exists = await comments.setVote(db, writer, kind, id, vote)
      if (!exists) throw fail('comment-not-found')
    },

    /** Reports a comment to the editors. A repeated report changes nothing. */
    async report(writer: Writer, kind: CommentKind, id: string, reason: string): Promise<void> {
      await rateLimits.consume('commentReports', writer.memberId)
      await requireOpen(writer, kind, id)
      const exists = await createReport(db, writer, kind, id, { reason, createdAt: clock.now() })
      if (!exists) throw fail('comment-not-found')
      await deps.announceComment(db, id, 'reported')
    },

    /** Deletes a comment, and the threads of a post. Throws `access-denied` for the comment of another member. */
    async remove(writer: Writer, kind: CommentKind, id: string): Promise<void> {
      const { authorId } = existing(await comments.findPlace(db, writer, kind, requireCommentId(id)))
      if (authorId !== writer.memberId) throw fail('access-denied')
      if (!(await comments.removeComment(db, writer, kind, id))) throw fail('comment-not-found')
    },
  }
}

function existing<T>(found: T | null): T {
  if (found !== null) return found
  throw fail('comment-not-found')
}

function requireCommentId(id: string): string {
  if (/^cmt_[0-9A-Za-z]{1,28}$/.test(id)) return id
  throw fail('comment-not-found')
}
