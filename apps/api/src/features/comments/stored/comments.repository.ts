import { Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import type { SafeHtml } from '#platform/html.ts'
import {
  type CommentKind,
  type PostRow,
  postColumns,
  seenPosts,
  type ThreadRow,
  tables,
  threadColumns,
  type Writer,
} from './comment-sight.repository.ts'

export type NewComment = { id: string; content: SafeHtml; createdAt: Date }

/**
 * Stores a post; null when its author is gone. The channel's row is locked until it is stored: whoever comes after has
 * a higher place and is seen later, so that no page is passed by.
 */
export async function createPost(
  db: Db,
  writer: Writer,
  channelId: string,
  { id, content, createdAt }: NewComment,
): Promise<PostRow | null> {
  const [row] = await db.$queryRaw<PostRow[]>`
    WITH writer AS (SELECT id FROM member WHERE id = ${writer.memberId} FOR KEY SHARE), place AS (
      SELECT channel.id, writer.id AS member_id FROM comment_channel channel, writer
      WHERE channel.id = ${channelId}::uuid FOR NO KEY UPDATE OF channel
    ), post AS (
      INSERT INTO comment_post (id, channel_id, member_id, content, created_at)
      SELECT ${id}, place.id, place.member_id, ${content}, ${createdAt} FROM place
      RETURNING *
    )
    SELECT ${postColumns(writer)} FROM post JOIN member author ON author.id = post.member_id`
  return row ?? null
}

/** Stores a thread under a post that its author sees; null when there is no such post. The post is locked likewise. */
export async function createThread(
  db: Db,
  writer: Writer,
  postId: string,
  { id, content, createdAt }: NewComment,
): Promise<ThreadRow | null> {
  const [row] = await db.$queryRaw<ThreadRow[]>`
    WITH writer AS (SELECT id FROM member WHERE id = ${writer.memberId} FOR KEY SHARE), place AS (
      SELECT post.id, writer.id AS member_id FROM writer CROSS JOIN comment_post post ${seenPosts(writer)}
      WHERE post.id = ${postId} AND post.hidden_at IS NULL FOR NO KEY UPDATE OF post
    ), thread AS (
      INSERT INTO comment_thread (id, post_id, member_id, content, created_at)
      SELECT ${id}, place.id, place.member_id, ${content}, ${createdAt} FROM place
      RETURNING *
    )
    SELECT ${threadColumns(writer)} FROM thread JOIN member author ON author.id = thread.member_id`
  return row ?? null
}

/** Changes a post of one's own; null when it is not there any more. */
export async function updatePost(
  db: Db,
  writer: Writer,
  id: string,
  change: { content: SafeHtml; editedAt: Date },
): Promise<PostRow | null> {
  const [row] = await db.$queryRaw<PostRow[]>`
    WITH post AS (${updated(writer, 'post', id, change)})
    SELECT ${postColumns(writer)} FROM post JOIN member author ON author.id = post.member_id`
  return row ?? null
}

/** Changes a thread of one's own; null when it is not there any more. */
export async function updateThread(
  db: Db,
  writer: Writer,
  id: string,
  change: { content: SafeHtml; editedAt: Date },
): Promise<ThreadRow | null> {
  const [row] = await db.$queryRaw<ThreadRow[]>`
    WITH thread AS (${updated(writer, 'thread', id, change)})
    SELECT ${threadColumns(writer)} FROM thread JOIN member author ON author.id = thread.member_id`
  return row ?? null
}

function updated(
  { memberId }: Writer,
  kind: CommentKind,
  id: string,
  { content, editedAt }: { content: SafeHtml; editedAt: Date },
): Prisma.Sql {
  return Prisma.sql`
    UPDATE ${tables[kind]} SET content = ${content}, edited_at = ${editedAt}
    WHERE id = ${id} AND member_id = ${memberId} AND hidden_at IS NULL RETURNING *`
}

/** Removes a post of one's own with its threads; answers whether it was there. */
export async function removePost(db: Db, { memberId }: Writer, id: string): Promise<boolean> {
  const { count } = await db.commentPost.deleteMany({ where: { id, memberId, hiddenAt: null } })
  return count > 0
}

/**
 * Removes a thread of one's own; answers whether it was there. Its post is locked first, as by whoever removes the
 * post: in another order the two would wait for each other.
 */
export async function removeThread(db: Db, { memberId }: Writer, id: string): Promise<boolean> {
  const count = await db.$executeRaw`
    WITH parent AS (
      SELECT post.id FROM comment_post post JOIN comment_thread thread ON thread.post_id = post.id
      WHERE thread.id = ${id} FOR NO KEY UPDATE OF post
    )
    DELETE FROM comment_thread
    WHERE id = ${id} AND member_id = ${memberId} AND hidden_at IS NULL AND post_id IN (SELECT id FROM parent)`
  return count > 0
}
