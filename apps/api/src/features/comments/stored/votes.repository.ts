import { Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { type CommentKind, seenComment, tables, type Writer } from './comment-sight.repository.ts'

const voteTables = {
  post: Prisma.raw('comment_post_vote'),
  thread: Prisma.raw('comment_thread_vote'),
} as const
const voteKeys = { post: Prisma.raw('post_id'), thread: Prisma.raw('thread_id') } as const

/**
 * Sets a member's vote on a comment, or takes it back; answers whether the member sees such a comment. Repeating it
 * changes nothing. The comment is locked before the vote, as by whoever removes it.
 */
export async function setVote(
  db: Db,
  writer: Writer,
  kind: CommentKind,
  id: string,
  vote: 'UP' | 'DOWN' | 'NONE',
): Promise<boolean> {
  const [votes, key] = [voteTables[kind], voteKeys[kind]]
  const stored =
    vote === 'NONE'
      ? Prisma.sql`
          DELETE FROM ${votes} WHERE ${key} IN (SELECT id FROM target) AND member_id = ${writer.memberId}`
      : Prisma.sql`
          INSERT INTO ${votes} AS held (${key}, member_id, vote)
          SELECT target.id, target.voter_id, ${vote}::comment_vote FROM target
          ON CONFLICT (${key}, member_id) DO UPDATE SET vote = excluded.vote WHERE held.vote <> excluded.vote`
  const rows = await db.$queryRaw<{ id: string }[]>`
    WITH voter AS (SELECT id FROM member WHERE id = ${writer.memberId} FOR KEY SHARE), target AS (
      SELECT comment.id, voter.id AS voter_id FROM voter CROSS JOIN ${tables[kind]} comment
      WHERE comment.id IN (SELECT seen.id FROM (${seenComment(writer, kind, id)}) seen)
      FOR NO KEY UPDATE OF comment
    ), stored AS (${stored} RETURNING 1)
    SELECT target.id FROM target`
  return rows.length > 0
}
