import { z } from 'zod'
import { type EditionStatus, Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { idRowSchema, queryRows } from '#platform/query-rows.ts'
import { matchesWords } from '#platform/text/matches-words.ts'
import type { EditionRow } from './editions.repository.ts'

/** The editions or memos that an editor looks for. Days are ISO 8601. */
export type EditionFilter = {
  status?: EditionStatus | undefined
  from?: string | undefined
  to?: string | undefined
  q?: string | undefined
}

/** All texts of the table `memo`, as its index has them. */
const memoText = Prisma.sql`
  desk_text(memo.title, memo.content, memo.source || E'\\n' || memo.media_title || E'\\n' || memo.media_text)`

/** Returns the condition that a memo has the words of a search. */
export function memoMatches(q: string): Prisma.Sql {
  return matchesWords(memoText, q)
}

/** Returns the conditions on the table `edition` that a filter has. */
export function editionConditions({ status, from, to }: Omit<EditionFilter, 'q'>): Prisma.Sql[] {
  return [
    ...(status === undefined ? [] : [Prisma.sql`edition.status = ${status}::edition_status`]),
    ...(from === undefined ? [] : [Prisma.sql`edition.date >= ${from}::date`]),
    ...(to === undefined ? [] : [Prisma.sql`edition.date <= ${to}::date`]),
  ]
}

const countedSchema = idRowSchema.extend({ memoCount: z.int() })

/** Lists a page of editions with their memo counts, newest first, drafts included. */
export async function listEditions(
  db: Db,
  page: { limit: number; before: { date: Date; id: string } | null },
  { q, ...filter }: EditionFilter,
): Promise<(EditionRow & { memoCount: number })[]> {
  const { before } = page
  const conditions = [
    Prisma.sql`true`,
    ...editionConditions(filter),
    ...(q === undefined
      ? []
      : [Prisma.sql`edition.id IN (SELECT memo.edition_id FROM memo WHERE ${memoMatches(q)})`]),
    ...(before === null
      ? []
      : // The first condition lets the query start in the middle of the index.
        [
          Prisma.sql`edition.date <= ${before.date}::date`,
          Prisma.sql`(edition.date, edition.id) < (${before.date}::date, ${before.id}::uuid)`,
        ]),
  ]
  const found = await queryRows(db, countedSchema)`
    SELECT edition.id, (SELECT count(*)::int FROM memo WHERE memo.edition_id = edition.id) AS "memoCount"
    FROM edition WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY edition.date DESC, edition.id DESC LIMIT ${page.limit}`
  const counts = new Map(found.map(({ id, memoCount }) => [id, memoCount]))
  const rows = await db.edition.findMany({
    where: { id: { in: [...counts.keys()] } },
    orderBy: [{ date: 'desc' }, { id: 'desc' }],
  })
  return rows.map((row) => ({ ...row, memoCount: counts.get(row.id) ?? 0 }))
}
