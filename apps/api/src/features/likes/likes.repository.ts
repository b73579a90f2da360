import { z } from 'zod'
import { Prisma } from '#generated/prisma/client.ts'
import type { Db, Sql } from '#platform/database.ts'
import { queryRows } from '#platform/query-rows.ts'

const likeResultSchema = z.object({ counter: z.int(), changed: z.boolean(), editionKey: z.string() })

/** A memo's count after a like was added or removed, and whether this call changed it. */
type LikeResult = z.infer<typeof likeResultSchema>

/** Adds or removes a like in one statement; null without a memo. Locks the memo, so that repeats count once. */
export async function setLike(
  db: Sql,
  like: { memoId: string; readerId: string; add: boolean },
): Promise<LikeResult | null> {
  const [step, change] = like.add
    ? [
        Prisma.sql`
          INSERT INTO memo_like (memo_id, reader_id) SELECT id, ${like.readerId}::uuid FROM target
          ON CONFLICT DO NOTHING RETURNING memo_id`,
        Prisma.sql`1`,
      ]
    : [
        Prisma.sql`
          DELETE FROM memo_like
          WHERE memo_id IN (SELECT id FROM target) AND reader_id = ${like.readerId}::uuid RETURNING memo_id`,
        Prisma.sql`-1`,
      ]
  const [result] = await queryRows(db, likeResultSchema)`
    WITH target AS (
      SELECT memo.id, memo.like_count, to_char(edition.date, 'MM-DD-YY') || '-' || edition.slot AS key
      FROM memo JOIN edition ON edition.id = memo.edition_id
      WHERE memo.id = ${like.memoId}::uuid AND edition.status = 'published'
      FOR UPDATE OF memo
    ), changed AS (${step}), counted AS (
      UPDATE memo SET like_count = like_count + ${change}
      WHERE id IN (SELECT memo_id FROM changed)
      RETURNING like_count
    )
    SELECT coalesce(counted.like_count, target.like_count) AS counter,
      counted.like_count IS NOT NULL AS changed, target.key AS "editionKey"
    FROM target LEFT JOIN counted ON true`
  return result ?? null
}

/** Returns the count of a published memo, or null. */
export async function findCounter(db: Db, memoId: string): Promise<number | null> {
  const memo = await db.memo.findFirst({
    where: { id: memoId, edition: { status: 'published' } },
    select: { likeCount: true },
  })
  return memo?.likeCount ?? null
}
