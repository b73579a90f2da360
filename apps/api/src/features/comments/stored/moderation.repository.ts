import { Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import type { CommentKind } from './comment-sight.repository.ts'

/** A comment as it is stored, for whoever keeps order. */
export type ModeratedComment = {
  kind: CommentKind
  id: string
  app_id: string
  channel_key: string
  /** The post of a thread. */
  post_id: string | null
  member_id: string
  content: string
  hidden_at: Date | null
  /** Since when everything of its author is hidden. */
  author_hidden_at: Date | null
  created_at: Date
  edited_at: Date | null
  internal_order: bigint
}

export type ModerationFilter = {
  channelKey: string | null
  memberId: string | null
  /** Whether it is hidden, itself or with its author; null for either. */
  hidden: boolean | null
}

const selections = {
  post: Prisma.sql`
    SELECT 'post' AS kind, comment.id, channel.app_id, channel.key AS channel_key, NULL AS post_id,
      comment.member_id, comment.content, comment.hidden_at, author.comments_hidden_at AS author_hidden_at,
      comment.created_at, comment.edited_at, comment.internal_order
    FROM comment_post comment
    JOIN comment_channel channel ON channel.id = comment.channel_id
    JOIN member author ON author.id = comment.member_id`,
  thread: Prisma.sql`
    SELECT 'thread' AS kind, comment.id, channel.app_id, channel.key AS channel_key, comment.post_id,
      comment.member_id, comment.content, comment.hidden_at, author.comments_hidden_at AS author_hidden_at,
      comment.created_at, comment.edited_at, comment.internal_order
    FROM comment_thread comment
    JOIN comment_post post ON post.id = comment.post_id
    JOIN comment_channel channel ON channel.id = post.channel_id
    JOIN member author ON author.id = comment.member_id`,
} as const

const kinds = ['post', 'thread'] as const

/** Comments of one kind, newest first, from a place on. */
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
  return await db.$queryRaw<ModeratedComment[]>`
    ${selections[kind]} WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY comment.internal_order DESC LIMIT ${page.limit}`
}

/** Locks a post or thread; null when there is none. Of a thread the post is locked first, as by whoever removes it. */
export async function lockComment(tx: Db, id: string): Promise<ModeratedComment | null> {
  await tx.$queryRaw`
    SELECT post.id FROM comment_post post
    WHERE post.id = ${id} OR post.id = (SELECT thread.post_id FROM comment_thread thread WHERE thread.id = ${id})
    FOR NO KEY UPDATE OF post`
  for (const kind of kinds) {
    const [comment] = await tx.$queryRaw<ModeratedComment[]>`
      ${selections[kind]} WHERE comment.id = ${id} FOR NO KEY UPDATE OF comment`
    if (comment !== undefined) return comment
  }
  return null
}

/** Hides a comment from everybody, or shows it again. */
export async function setHidden(tx: Db, kind: CommentKind, id: string, hiddenAt: Date | null): Promise<void> {
  if (kind === 'post') await tx.commentPost.update({ where: { id }, data: { hiddenAt } })
  else await tx.commentThread.update({ where: { id }, data: { hiddenAt } })
}

/** Locks a member; answers since when what they write is hidden. Null when there is no such member. */
export async function lockAuthor(tx: Db, memberId: string): Promise<{ hiddenAt: Date | null } | null> {
  const [row] = await tx.$queryRaw<{ hidden_at: Date | null }[]>`
    SELECT comments_hidden_at AS hidden_at FROM member WHERE id = ${memberId} FOR NO KEY UPDATE`
  return row === undefined ? null : { hiddenAt: row.hidden_at }
}

/** Hides whatever a member writes and wrote from everybody else, or shows it again. */
export async function setAuthorHidden(tx: Db, memberId: string, hiddenAt: Date | null): Promise<void> {
  await tx.$executeRaw`UPDATE member SET comments_hidden_at = ${hiddenAt} WHERE id = ${memberId}`
}
