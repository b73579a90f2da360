import { Prisma } from '#generated/prisma/client.ts'

export type CommentKind = 'post' | 'thread'

/** Through whose eyes: what members of an app hide or show differs with who looks. */
export type Viewer = {
  appId: string
  /** The custom fields that everybody may see. */
  publicFields: readonly string[]
  /** Null for a visitor. */
  memberId: string | null
}

/** A member who writes or votes. */
export type Writer = Viewer & { memberId: string }

/** Who wrote something, without anything that is not public. */
export type AuthorRow = { member_id: string; profile_image: string | null; custom_fields: unknown }

export type ThreadRow = AuthorRow & {
  id: string
  internal_order: bigint
  created_at: Date
  content: string
  liked_by: number
}

export type PostRow = ThreadRow & { disliked_by: number; thread_count: number }

export const tables = { post: Prisma.raw('comment_post'), thread: Prisma.raw('comment_thread') } as const

/** The member who looks; a visitor is nobody, and nobody has an empty id. */
function me({ memberId }: Viewer): string {
  return memberId ?? ''
}

/** Whether what somebody wrote shows: not when an editor hides all of it, unless to themselves. */
export function showsTo(viewer: Viewer, writer: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(${writer}.comments_hidden_at IS NULL OR ${writer}.id = ${me(viewer)})`
}

/** The members of whom this one sees nothing. */
export function hiddenFrom(viewer: Viewer): Prisma.Sql {
  return Prisma.sql`
    SELECT hidden.id FROM member hidden
    WHERE hidden.comments_hidden_at IS NOT NULL AND hidden.id <> ${me(viewer)}`
}

export function authorColumns({ publicFields }: Pick<Viewer, 'publicFields'>): Prisma.Sql {
  return Prisma.sql`
    author.id AS member_id, author.profile_image, (
      SELECT coalesce(jsonb_object_agg(field.key, field.value), '{}')
      FROM jsonb_each(author.custom_fields) field WHERE field.key = ANY(${publicFields}::text[])
    ) AS custom_fields`
}

export function threadColumns(viewer: Viewer): Prisma.Sql {
  return Prisma.sql`thread.id, thread.internal_order, thread.created_at, thread.content, thread.liked_by,
    ${authorColumns(viewer)}`
}

// The stored count knows of hidden replies, and nothing of replies whose authors are hidden.
export function postColumns(viewer: Viewer): Prisma.Sql {
  return Prisma.sql`post.id, post.internal_order, post.created_at, post.content, post.liked_by, post.disliked_by,
    CASE WHEN post.thread_count = 0 THEN 0 ELSE post.thread_count - (
      SELECT count(*)::int FROM comment_thread reply
      WHERE reply.post_id = post.id AND reply.hidden_at IS NULL AND reply.member_id IN (${hiddenFrom(viewer)})
    ) END AS thread_count,
    ${authorColumns(viewer)}`
}

/** From a post, its channel and its author on; what the viewer does not see is not there. */
export function seenPosts(viewer: Viewer): Prisma.Sql {
  return Prisma.sql`
    JOIN comment_channel channel ON channel.id = post.channel_id AND channel.app_id = ${viewer.appId}
    JOIN member starter ON starter.id = post.member_id AND ${showsTo(viewer, Prisma.sql`starter`)}`
}

/** One comment that the viewer sees, as `seen`: its id, its author and, of a thread, its post. */
export function seenComment(viewer: Viewer, kind: CommentKind, id: string): Prisma.Sql {
  return kind === 'post'
    ? Prisma.sql`
        SELECT post.id, post.member_id FROM comment_post post ${seenPosts(viewer)}
        WHERE post.id = ${id} AND post.hidden_at IS NULL`
    : Prisma.sql`
        SELECT thread.id, thread.member_id FROM comment_thread thread
        JOIN member writer ON writer.id = thread.member_id AND ${showsTo(viewer, Prisma.sql`writer`)}
        JOIN comment_post post ON post.id = thread.post_id AND post.hidden_at IS NULL ${seenPosts(viewer)}
        WHERE thread.id = ${id} AND thread.hidden_at IS NULL`
}
