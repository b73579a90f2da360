import { z } from 'zod'
import { Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { queryRows } from '#platform/query-rows.ts'
import { type CommentKind, tables } from './visible-comments.repository.ts'

const kinds = ['post', 'thread'] as const

const moderatedCommentSchema = z.object({
  kind: z.enum(kinds),
  id: z.string(),
  app_id: z.string(),
  channel_key: z.string(),
  post_id: z.string().nullable(),
  member_id: z.string(),
  content: z.string(),
  hidden_at: z.date().nullable(),
  author_hidden_at: z.date().nullable(),
  created_at: z.date(),
  edited_at: z.date().nullable(),
  internal_order: z.bigint(),
})

/** A comment as editors see it. */
export type ModeratedComment = z.infer<typeof moderatedCommentSchema>

export type ModerationFilter = {
  channelKey: string | null
  memberId: string | null
  /** Whether the comment or its author is hidden; null for both. */
  hidden: boolean | null
}

function selectModerated(kind: CommentKind): Prisma.Sql {
  const joinChannel =
    kind === 'post'
      ? Prisma.sql`JOIN comment_channel channel ON channel.id = comment.channel_id`
      : Prisma.sql`
          JOIN comment_post post ON post.id = comment.post_id
          JOIN comment_channel channel ON channel.id = post.channel_id`
  return Prisma.sql`
    SELECT ${kind}::text AS kind, comment.id, channel.app_id, channel.key AS channel_key,
      ${kind === 'post' ? Prisma.sql`NULL` : Prisma.sql`comment.post_id`} AS post_id,
      comment.member_id, comment.content, comment.hidden_at, author.comments_hidden_at AS author_hidden_at,
      comment.created_at, comment.edited_at, comment.internal_order
    FROM ${tables[kind].comments} comment ${joinChannel}
    JOIN member author ON author.id = comment.member_id`
}

/** Returns comments of one kind, newest first, before a place. */
export async function listForModeration(
  db: Db,
  kind: CommentKind,
  { channelKey, memberId, hidden }: ModerationFilter,
  page: { before: bigint; limit: number },
): Promise<ModeratedComment[]> {
  const isHidden = Prisma.sql`(comment.hidden_at IS NOT NULL OR author.comments_hidden_at IS NOT NULL)`
  const conditions = [
    Prisma.sql`comment.internal_order < ${page.before}`,
    ...(channelKey === null ? [] : [Prisma.sql`channel.key = ${channelKey}`]),
    ...(memberId === null ? [] : [Prisma.sql`comment.member_id = ${memberId}`]),
    ...(hidden === null ? [] : [hidden ? isHidden : Prisma.sql`NOT ${isHidden}`]),
  ]
  return await queryRows(db, moderatedCommentSchema)`
    ${selectModerated(kind)} WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY comment.internal_order DESC LIMIT ${page.limit}`
}

/** Locks a post or thread; null when none exists. Locks a thread's post before the thread, as post deletion does. */
export async function lockComment(tx: Db, id: string): Promise<ModeratedComment | null> {
  await tx.$queryRaw`
    SELECT post.id FROM comment_post post
    WHERE post.id = ${id} OR post.id = (SELECT thread.post_id FROM comment_thread thread WHERE thread.id = ${id})
    FOR NO KEY UPDATE OF post`
  for (const kind of kinds) {
    const [comment] = await queryRows(tx, moderatedCommentSchema)`
      ${selectModerated(kind)} WHERE comment.id = ${id} FOR NO KEY UPDATE OF comment`
    if (comment !== undefined) return comment
  }
  return null
}

/** Hides a comment from all readers, or shows it again. */
export async function setHidden(tx: Db, kind: CommentKind, id: string, hiddenAt: Date | null): Promise<void> {
  if (kind === 'post') await tx.commentPost.update({ where: { id }, data: { hiddenAt } })
  else await tx.commentThread.update({ where: { id }, data: { hiddenAt } })
}

const authorRowSchema = z.object({ hiddenAt: z.date().nullable() })

/** Locks a member and returns when an editor hid them; null when the member does not exist. */
export async function lockAuthor(tx: Db, memberId: string): Promise<{ hiddenAt: Date | null } | null> {
  const [row] = await queryRows(tx, authorRowSchema)`
    SELECT comments_hidden_at AS "hiddenAt" FROM member WHERE id = ${memberId} FOR NO KEY UPDATE`
  return row ?? null
}

/** Hides all comments of a member from other readers, or shows them again. */
export async function setAuthorHidden(tx: Db, memberId: string, hiddenAt: Date | null): Promise<void> {
  await tx.$executeRaw`UPDATE member SET comments_hidden_at = ${hiddenAt} WHERE id = ${memberId}`
}
