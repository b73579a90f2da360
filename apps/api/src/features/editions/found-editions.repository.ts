import type { ListPlace } from '@tidings/contracts/desk/find'
import { z } from 'zod'
import { type EditionStatus, Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { idRowSchema, queryRows } from '#platform/query-rows.ts'
import { matchesWords } from '#platform/text/matches-words.ts'
import type { MemoCounts } from './editions.mapper.ts'
import type { EditionRow } from './editions.repository.ts'

/** The editions or memos that an editor looks for. Days are ISO 8601. */
export type EditionFilter = {
  status?: EditionStatus | 'withdrawn' | undefined
  from?: string | undefined
  to?: string | undefined
} & TextFilter

/** The texts that an editor looks for: with words, or last saved by a person. */
export type TextFilter = { q?: string | undefined; person?: string | undefined }

// An array, so that the index of words is read first, whatever the planner expects of them.
function hasWords(q: string): Prisma.Sql {
  const found = matchesWords(Prisma.sql`memo_folded.text`, q)
  return Prisma.sql`memo.id = ANY(ARRAY(SELECT memo_folded.memo_id FROM memo_folded WHERE ${found}))`
}

/** Returns the conditions on the table `memo` that a filter has. */
export function memoConditions({ q, person }: TextFilter): Prisma.Sql[] {
  return [
    ...(q === undefined ? [] : [hasWords(q)]),
    ...(person === undefined ? [] : [Prisma.sql`memo.saved_by_id = ${person}::uuid`]),
  ]
}

/** Returns the conditions on the table `working_copy` that a filter of memos has. */
export function memoCopyConditions({ q, person }: TextFilter): Prisma.Sql[] {
  return [
    Prisma.sql`working_copy.kind = 'memo'`,
    ...(q === undefined ? [] : [matchesWords(Prisma.sql`desk_memo_text(working_copy.fields)`, q)]),
    ...(person === undefined ? [] : [Prisma.sql`working_copy.saved_by_id = ${person}::uuid`]),
  ]
}

/** Returns the conditions on the table `edition` that a filter has. */
export function editionConditions({ status, from, to }: EditionFilter): Prisma.Sql[] {
  return [
    ...statusConditions(status),
    ...(from === undefined ? [] : [Prisma.sql`edition.date >= ${from}::date`]),
    ...(to === undefined ? [] : [Prisma.sql`edition.date <= ${to}::date`]),
  ]
}

function statusConditions(status: EditionFilter['status']): Prisma.Sql[] {
  if (status === undefined) return []
  if (status !== 'withdrawn') return [Prisma.sql`edition.status = ${status}::edition_status`]
  return [Prisma.sql`edition.status = 'draft'`, Prisma.sql`edition.withdrawn_published_at IS NOT NULL`]
}

function hasMemo(filter: TextFilter): Prisma.Sql[] {
  const conditions = memoConditions(filter)
  if (conditions.length === 0) return []
  return [
    Prisma.sql`edition.id IN (
      SELECT memo.edition_id FROM memo WHERE ${Prisma.join(conditions, ' AND ')}
      UNION ALL
      SELECT working_copy.edition_id FROM working_copy
      WHERE ${Prisma.join(memoCopyConditions(filter), ' AND ')})`,
  ]
}

const countedSchema = idRowSchema.extend({ memoCount: z.int(), readyCount: z.int() })

/** Lists a page of editions with their memo counts, newest first, drafts included. */
export async function listEditions(
  db: Db,
  { limit, before }: { limit: number; before: ListPlace | null },
  filter: EditionFilter,
): Promise<(EditionRow & MemoCounts)[]> {
  const conditions = [
    Prisma.sql`true`,
    ...editionConditions(filter),
    ...hasMemo(filter),
    ...(before === null
      ? []
      : // The first condition lets the query start in the middle of the index.
        [
          Prisma.sql`edition.date <= ${before.at}::date`,
          Prisma.sql`(edition.date, edition.id) < (${before.at}::date, ${before.id}::uuid)`,
        ]),
  ]
  const found = await queryRows(db, countedSchema)`
    SELECT edition.id,
      (SELECT count(*)::int FROM memo WHERE memo.edition_id = edition.id) AS "memoCount",
      (SELECT count(*)::int FROM memo WHERE memo.edition_id = edition.id AND memo.is_ready) AS "readyCount"
    FROM edition WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY edition.date DESC, edition.id DESC LIMIT ${limit}`
  const counts = new Map(found.map(({ id, ...counted }) => [id, counted]))
  const rows = await db.edition.findMany({
    where: { id: { in: [...counts.keys()] } },
    orderBy: [{ date: 'desc' }, { id: 'desc' }],
  })
  return rows.map((row) => ({ ...row, ...(counts.get(row.id) ?? { memoCount: 0, readyCount: 0 }) }))
}
