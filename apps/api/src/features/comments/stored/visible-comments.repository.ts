import { z } from 'zod'
import { Prisma } from '#generated/prisma/client.ts'

export type CommentKind = 'post' | 'thread'

/** The member or visitor who reads comments. Hidden authors are visible to themselves only. */
export type Viewer = {
  appId: string
  publicFields: readonly string[]
  /** Null for a visitor. */
  memberId: string | null
  hasGatePass: boolean
}

/** A member who writes or votes. */
export type Writer = Viewer & { memberId: string }

export const authorRowSchema = z.object({
  member_id: z.string(),
  profile_image: z.string().nullable(),
  custom_fields: z.unknown(),
})

/** The public fields of a comment's author. */
export type AuthorRow = z.infer<typeof authorRowSchema>

export const commentRowSchema = authorRowSchema.extend({
  id: z.string(),
  internal_order: z.bigint(),
  created_at: z.date(),
  content: z.string(),
  liked_by: z.int(),
  /** The viewer's; null without one. */
  own_vote: z.enum(['UP', 'DOWN']).nullable(),
  disliked_by: z.int(),
  thread_count: z.int(),
})

/** A post or thread; the counts of down votes and threads are 0 for a thread. */
export type CommentRow = z.infer<typeof commentRowSchema>

/** The tables and keys of each kind. */
export const tables = {
  post: {
    comments: Prisma.raw('comment_post'),
    parents: Prisma.raw('comment_channel'),
    parentKey: Prisma.raw('channel_id'),
    votes: Prisma.raw('comment_post_vote'),
    voteKey: Prisma.raw('post_id'),
  },
  thread: {
    comments: Prisma.raw('comment_thread'),
    parents: Prisma.raw('comment_post'),
    parentKey: Prisma.raw('post_id'),
    votes: Prisma.raw('comment_thread_vote'),
    voteKey: Prisma.raw('thread_id'),
  },
} as const

/** No member has an empty id, which stands for a visitor. */
function viewerId({ memberId }: Viewer): string {
  return memberId ?? ''
}

/** Returns the condition that an author is visible: not hidden by an editor, or the viewer. */
export function isVisible(viewer: Viewer, author: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(${author}.comments_hidden_at IS NULL OR ${author}.id = ${viewerId(viewer)})`
}

/** Selects the authors that are hidden from the viewer. */
export function hiddenAuthors(viewer: Viewer): Prisma.Sql {
  return Prisma.sql`
    SELECT hidden.id FROM member hidden
    WHERE hidden.comments_hidden_at IS NOT NULL AND hidden.id <> ${viewerId(viewer)}`
}

export function authorColumns({ publicFields }: Pick<Viewer, 'publicFields'>): Prisma.Sql {
  return Prisma.sql`
    author.id AS member_id, author.profile_image, (
      SELECT coalesce(jsonb_object_agg(field.key, field.value), '{}')
      FROM jsonb_each(author.custom_fields) field WHERE field.key = ANY(${publicFields}::text[])
    ) AS custom_fields`
}

/** Returns the columns of a `comment` and its `author`. */
export function commentColumns(viewer: Viewer, kind: CommentKind): Prisma.Sql {
  // The stored count excludes hidden threads, but includes threads of hidden authors.
  const counts =
    kind === 'thread'
      ? Prisma.sql`0 AS disliked_by, 0 AS thread_count`
      : Prisma.sql`comment.disliked_by,
          CASE WHEN comment.thread_count = 0 THEN 0 ELSE comment.thread_count - (
            SELECT count(*)::int FROM comment_thread reply
            WHERE reply.post_id = comment.id AND reply.hidden_at IS NULL
              AND reply.member_id IN (${hiddenAuthors(viewer)})
          ) END AS thread_count`
  const { votes, voteKey } = tables[kind]
  const ownVote = Prisma.sql`(
    SELECT own.vote::text FROM ${votes} own WHERE own.${voteKey} = comment.id AND own.member_id = ${viewerId(viewer)}
  ) AS own_vote`
  return Prisma.sql`comment.id, comment.internal_order, comment.created_at, comment.content, comment.liked_by,
    ${counts}, ${ownVote}, ${authorColumns(viewer)}`
}

/** Joins a `post` with its channel and author, which leaves only posts of the app by visible authors. */
export function joinVisiblePost(viewer: Viewer): Prisma.Sql {
  return Prisma.sql`
    JOIN comment_channel channel ON channel.id = post.channel_id AND channel.app_id = ${viewer.appId}
    JOIN member starter ON starter.id = post.member_id AND ${isVisible(viewer, Prisma.sql`starter`)}`
}

/** Selects the id, author and channel of one comment, if it is visible. */
export function visibleComment(viewer: Viewer, kind: CommentKind, id: string): Prisma.Sql {
  return kind === 'post'
    ? Prisma.sql`
        SELECT post.id, post.member_id, channel.key AS channel_key FROM comment_post post ${joinVisiblePost(viewer)}
        WHERE post.id = ${id} AND post.hidden_at IS NULL`
    : Prisma.sql`
        SELECT thread.id, thread.member_id, channel.key AS channel_key FROM comment_thread thread
        JOIN member writer ON writer.id = thread.member_id AND ${isVisible(viewer, Prisma.sql`writer`)}
        JOIN comment_post post ON post.id = thread.post_id AND post.hidden_at IS NULL ${joinVisiblePost(viewer)}
        WHERE thread.id = ${id} AND thread.hidden_at IS NULL`
}
