import { Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'

/** What became of a like: the count afterwards, and whether it was this call that changed it. */
export type LikeOutcome = { counter: number; changed: boolean }

type LikeRow = { counter: number; changed: boolean; key: string }

// The two statements begin and end alike: whatever they lock and answer must stay the same for both.
const readOutcome = Prisma.sql`
    SELECT coalesce(counted.like_count, target.like_count) AS counter,
      counted.like_count IS NOT NULL AS changed, target.key
    FROM target LEFT JOIN counted ON true`

function lockPublished(memoId: string): Prisma.Sql {
  return Prisma.sql`
      SELECT memo.id, memo.like_count, to_char(edition.date, 'MM-DD-YY') || '-' || edition.slot AS key
      FROM memo JOIN edition ON edition.id = memo.edition_id
      WHERE memo.id = ${memoId}::uuid AND edition.status = 'published'
      FOR UPDATE OF memo`
}

/**
 * Stores one reader's like of a published memo and counts it, in one statement. The memo's row is locked
 * first, so however often and from wherever it is repeated, it counts once. Null when there is no such memo.
 */
export async function addLike(
  db: Db,
  memoId: string,
  readerId: string,
): Promise<(LikeOutcome & { editionKey: string }) | null> {
  const rows = await db.$queryRaw<LikeRow[]>`
    WITH target AS (${lockPublished(memoId)}), added AS (
      INSERT INTO memo_like (memo_id, reader_id)
      SELECT id, ${readerId}::uuid FROM target
      ON CONFLICT DO NOTHING
      RETURNING memo_id
    ), counted AS (
      UPDATE memo SET like_count = like_count + 1
      WHERE id IN (SELECT memo_id FROM added)
      RETURNING like_count
    )
    ${readOutcome}`
  return outcomeOf(rows)
}

/** Takes one reader's like back, likewise once. */
export async function removeLike(
  db: Db,
  memoId: string,
  readerId: string,
): Promise<(LikeOutcome & { editionKey: string }) | null> {
  const rows = await db.$queryRaw<LikeRow[]>`
    WITH target AS (${lockPublished(memoId)}), removed AS (
      DELETE FROM memo_like
      WHERE memo_id IN (SELECT id FROM target) AND reader_id = ${readerId}::uuid
      RETURNING memo_id
    ), counted AS (
      UPDATE memo SET like_count = like_count - 1
      WHERE id IN (SELECT memo_id FROM removed)
      RETURNING like_count
    )
    ${readOutcome}`
  return outcomeOf(rows)
}

/** The count of a published memo as it is; null when there is no such memo. */
export async function findCounter(db: Db, memoId: string): Promise<number | null> {
  const memo = await db.memo.findFirst({
    where: { id: memoId, edition: { status: 'published' } },
    select: { likeCount: true },
  })
  return memo?.likeCount ?? null
}

function outcomeOf(rows: readonly LikeRow[]): (LikeOutcome & { editionKey: string }) | null {
  const [row] = rows
  return row === undefined ? null : { counter: row.counter, changed: row.changed, editionKey: row.key }
}
