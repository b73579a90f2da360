import { Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { idRowSchema, queryRows } from '#platform/query-rows.ts'
import { type EditionFilter, editionConditions, memoMatches } from '../editions/index.ts'
import type { MemoWithEdition } from './memos.repository.ts'

/** A place in the list: the day of an edition, ISO 8601, and a memo. */
export type MemoPlace = { day: string; id: string }

/** Finds a page of memos in editions of every status, newest day first and the newest memo first in a day. */
export async function findMemos(
  db: Db,
  { limit, before }: { limit: number; before: MemoPlace | null },
  { q, ...filter }: EditionFilter,
): Promise<MemoWithEdition[]> {
  const conditions = [
    Prisma.sql`true`,
    ...editionConditions(filter),
    ...(q === undefined ? [] : [memoMatches(q)]),
    ...(before === null
      ? []
      : // The first condition lets the query start in the middle of the index.
        [
          Prisma.sql`edition.date <= ${before.day}::date`,
          Prisma.sql`(edition.date, memo.id) < (${before.day}::date, ${before.id}::uuid)`,
        ]),
  ]
  const ids = await queryRows(db, idRowSchema)`
    SELECT memo.id FROM memo JOIN edition ON edition.id = memo.edition_id
    WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY edition.date DESC, memo.id DESC LIMIT ${limit}`
  return await db.memo.findMany({
    where: { id: { in: ids.map(({ id }) => id) } },
    orderBy: [{ edition: { date: 'desc' } }, { id: 'desc' }],
    include: { edition: true },
  })
}
