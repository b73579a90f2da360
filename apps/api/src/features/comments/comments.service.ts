import type { CommentPost, CommentThread, Vote } from '@tidings/contracts/comments'
import { fail as failMembership } from '#http/membership/membership.errors.ts'
import type { RateLimits } from '#http/rate-limits.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/database.ts'
import type { Ids } from '#platform/ids.ts'
import { cleanComment } from './comment-text.ts'
import { CommentNotFoundError, NotOwnCommentError } from './comments.errors.ts'
import { toPost, toThread } from './comments.mapper.ts'
import {
  addSubscription,
  ensureChannel,
  findChannel,
  isSubscribed,
  removeSubscription,
} from './stored/channels.repository.ts'
import {
  countPosts,
  findAuthor,
  listPosts,
  listThreads,
  type Page,
} from './stored/comment-lists.repository.ts'
import type { CommentKind, Viewer, Writer } from './stored/comment-sight.repository.ts'
import {
  createPost,
  createThread,
  type NewComment,
  removePost,
  removeThread,
  updatePost,
  updateThread,
} from './stored/comments.repository.ts'
import { setVote } from './stored/votes.repository.ts'

type Deps = { database: Database; clock: Clock; ids: Ids; rateLimits: RateLimits; siteUrl: URL }

type Subscription = 'NONE' | 'THREADS_ONLY'

/**
 * The discussions of an app's pages. What a viewer does not see is not there for them: `comment-not-found`. Everything
 * but deleting counts towards the writer's limit (`too-many-requests`); texts are cleaned, or refused when empty or long.
 */
export type CommentService = {
  channel(
    viewer: Viewer,
    channelKey: string,
  ): Promise<{ channelKey: string; totalCount: number; subscription: Subscription }>
  subscribe(writer: Writer, channelKey: string, action: Subscription): Promise<void>
  listPosts(
    viewer: Viewer,
    channelKey: string,
    page: Page,
  ): Promise<{ posts: CommentPost[]; totalCount: number }>
  listThreads(viewer: Viewer, postId: string, page: Page): Promise<CommentThread[]>
  createPost(writer: Writer, channelKey: string, written: string): Promise<CommentPost>
  createThread(writer: Writer, postId: string, written: string): Promise<CommentThread>
  /** Throws `access-denied` when it is somebody else's. */
  updatePost(writer: Writer, id: string, written: string): Promise<CommentPost>
  updateThread(writer: Writer, id: string, written: string): Promise<CommentThread>
  vote(writer: Writer, kind: CommentKind, id: string, vote: Vote): Promise<void>
  /** Removes what the member wrote, a post with its threads. Throws `access-denied` when it is somebody else's. */
  remove(writer: Writer, kind: CommentKind, id: string): Promise<void>
}

export function createCommentService({ database, clock, ids, rateLimits, siteUrl }: Deps): CommentService {
  const { db } = database

  /** Counts one more deed of a member. */
  function count({ memberId }: Writer): Promise<void> {
    return rateLimits.consume('comments', memberId)
  }

  function newComment(written: string): NewComment {
    return { id: ids.public('cmt'), content: cleanComment(written), createdAt: clock.now() }
  }

  function changeTo(written: string): { content: NewComment['content']; editedAt: Date } {
    return { content: cleanComment(written), editedAt: clock.now() }
  }

  async function requireOwn(writer: Writer, kind: CommentKind, id: string): Promise<void> {
    const author = existing(await findAuthor(db, writer, kind, requireForm(id)))
    if (author !== writer.memberId) throw new NotOwnCommentError()
  }

  return {
    async channel(viewer, channelKey) {
      const channelId = await findChannel(db, viewer.appId, channelKey)
      if (channelId === null) return { channelKey, totalCount: 0, subscription: 'NONE' }
      const { memberId } = viewer
      const [totalCount, subscribed] = await Promise.all([
        countPosts(db, viewer, channelId),
        memberId === null ? false : isSubscribed(db, memberId, channelId),
      ])
      return { channelKey, totalCount, subscription: subscribed ? 'THREADS_ONLY' : 'NONE' }
    },

    async subscribe(writer, channelKey, action) {
      await count(writer)
      if (action === 'THREADS_ONLY') {
        await addSubscription(db, writer.memberId, await ensureChannel(db, writer.appId, channelKey))
      } else {
        const channelId = await findChannel(db, writer.appId, channelKey)
        if (channelId !== null) await removeSubscription(db, writer.memberId, channelId)
      }
    },

    async listPosts(viewer, channelKey, page) {
      const channelId = await findChannel(db, viewer.appId, channelKey)
      if (channelId === null) return { posts: [], totalCount: 0 }
      const [rows, totalCount] = await Promise.all([
        listPosts(db, viewer, channelId, page),
        countPosts(db, viewer, channelId),
      ])
      return { posts: rows.map((row) => toPost(row, siteUrl)), totalCount }
    },

    async listThreads(viewer, postId, page) {
      existing(await findAuthor(db, viewer, 'post', requireForm(postId)))
      const rows = await listThreads(db, viewer, postId, page)
      return rows.map((row) => toThread(row, siteUrl))
    },

    async createPost(writer, channelKey, written) {
      await count(writer)
      const post = newComment(written)
      const channelId = await ensureChannel(db, writer.appId, channelKey)
      const row = await createPost(db, writer, channelId, post)
      // The account was deleted while its last post was on its way.
      if (row === null) throw failMembership('client/invalid-token')
      return toPost(row, siteUrl)
    },

    async createThread(writer, postId, written) {
      await count(writer)
      const row = await createThread(db, writer, requireForm(postId), newComment(written))
      return toThread(existing(row), siteUrl)
    },

    async updatePost(writer, id, written) {
      await count(writer)
      await requireOwn(writer, 'post', id)
      return toPost(existing(await updatePost(db, writer, id, changeTo(written))), siteUrl)
    },

    async updateThread(writer, id, written) {
      await count(writer)
      await requireOwn(writer, 'thread', id)
      return toThread(existing(await updateThread(db, writer, id, changeTo(written))), siteUrl)
    },

    async vote(writer, kind, id, vote) {
      await count(writer)
      const seen = await setVote(db, writer, kind, requireForm(id), vote)
      if (!seen) throw new CommentNotFoundError()
    },

    async remove(writer, kind, id) {
      await requireOwn(writer, kind, id)
      const removed = await (kind === 'post' ? removePost : removeThread)(db, writer, id)
      if (!removed) throw new CommentNotFoundError()
    },
  }
}

function existing<T>(found: T | null): T {
  if (found !== null) return found
  throw new CommentNotFoundError()
}

/** What has not the form of a comment's id is none, and the database is not asked. */
function requireForm(id: string): string {
  if (/^cmt_[0-9A-Za-z]{1,28}$/.test(id)) return id
  throw new CommentNotFoundError()
}
