import { z } from 'zod'
import { EditionStatus } from '#generated/prisma/client.ts'
import type { Sql } from '#platform/database.ts'
import { queryRows } from '#platform/query-rows.ts'

export const editionStatuses = Object.values(EditionStatus)

const editionsRowSchema = z.object({
  publishedAt: z.date().nullable(),
  held: z.int(),
  overdue: z.int(),
  oldestDue: z.date().nullable(),
})

/** Returns when the newest edition was published, and how many are held and overdue. Reads only the index of status and time. */
export async function readEditions(sql: Sql, now: Date): Promise<z.infer<typeof editionsRowSchema>> {
  const [row] = await queryRows(sql, editionsRowSchema)`
    SELECT
      (SELECT published_at FROM edition WHERE status = 'published' ORDER BY publish_at DESC LIMIT 1) AS "publishedAt",
      (SELECT count(*)::int FROM edition WHERE status = 'held') AS held,
      due.count::int AS overdue, due.oldest AS "oldestDue"
    FROM (
      SELECT count(*) AS count, min(publish_at) AS oldest FROM edition
      WHERE status = 'scheduled' AND publish_at <= ${now}
    ) AS due`
  if (row === undefined) throw new Error('The counts of editions have no row.')
  return row
}

const statusRowSchema = z.object({ slot: z.string(), status: z.enum(EditionStatus) })

/** Returns the statuses of the editions of these days, by slot. */
export async function listStatuses(
  sql: Sql,
  due: readonly { slot: string; date: Date }[],
): Promise<Map<string, EditionStatus>> {
  const rows = await queryRows(sql, statusRowSchema)`
    SELECT slot, status FROM edition
    JOIN unnest(${due.map(({ date }) => date)}::date[], ${due.map(({ slot }) => slot)}::text[]) AS due (date, slot)
      USING (date, slot)`
  return new Map(rows.map(({ slot, status }) => [slot, status]))
}
