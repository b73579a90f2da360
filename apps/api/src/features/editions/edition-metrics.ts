import type { Slot } from '@tidings/contracts/edition-key'
import { z } from 'zod'
import { EditionStatus } from '#generated/prisma/client.ts'
import type { Sql } from '#platform/database.ts'
import { toDatabaseDate } from '#platform/database-date.ts'
import { type DatabaseMetrics, secondsSince } from '#platform/database-metrics/database-metrics.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { queryRows } from '#platform/query-rows.ts'
import { addDays, dateInZone, publishInstant } from './slot-times.ts'

type Deps = Pick<PlatformDeps, 'database'> & {
  databaseMetrics: DatabaseMetrics
  slots: readonly Slot[]
  timeZone: string
}

/** The statuses of the edition of a slot; `none` if editors have not begun one. */
const statuses = [...Object.values(EditionStatus), 'none'] as const

/** Exports whether the editions that are due were published, and which ones wait for an editor. */
export function exportEditions({ databaseMetrics, database: { sql }, slots, timeZone }: Deps): void {
  const lastPublished = databaseMetrics.gauge({
    name: 'tidings_edition_last_published_timestamp_seconds',
    help: 'When the newest edition was published, in seconds since 1970',
  })
  const held = databaseMetrics.gauge({
    name: 'tidings_editions_held',
    help: 'Editions that missed their time or had no memos, and wait for an editor',
  })
  const overdue = databaseMetrics.gauge({
    name: 'tidings_editions_overdue',
    help: 'Scheduled editions whose time is over and that are not published',
  })
  const overdueSeconds = databaseMetrics.gauge({
    name: 'tidings_editions_oldest_overdue_seconds',
    help: 'How late the oldest overdue edition is; 0 without one',
  })
  databaseMetrics.fill('editions', [lastPublished, held, overdue, overdueSeconds], async (now) => {
    const { publishedAt, oldestDue, ...counts } = await readEditions(sql, now)
    return [
      ...(publishedAt === null ? [] : [{ gauge: lastPublished, value: publishedAt.getTime() / 1000 }]),
      { gauge: held, value: counts.held },
      { gauge: overdue, value: counts.overdue },
      { gauge: overdueSeconds, value: secondsSince(oldestDue, now) },
    ]
  })

  const slotStatus = databaseMetrics.gauge({
    name: 'tidings_edition_slot_status',
    help: 'By slot, 1 for the status of the edition that was due last: published, held, scheduled, draft or none',
    labelNames: ['slot', 'status'],
  })
  const slotDue = databaseMetrics.gauge({
    name: 'tidings_edition_slot_due_timestamp_seconds',
    help: 'By slot, when the last edition was due, in seconds since 1970',
    labelNames: ['slot'],
  })
  databaseMetrics.fill('slots', [slotStatus, slotDue], async (now) => {
    const due = slots.map((slot) => ({ slot: slot.label, ...lastDue(slot, timeZone, now) }))
    const found = await listStatuses(sql, due)
    return due.flatMap(({ slot, at }) => {
      const actual = found.get(slot) ?? 'none'
      return [
        ...statuses.map((status) => ({
          gauge: slotStatus,
          labels: { slot, status },
          value: status === actual ? 1 : 0,
        })),
        { gauge: slotDue, labels: { slot }, value: at.getTime() / 1000 },
      ]
    })
  })
}

/** Returns the day and the instant at which a slot was due last. */
function lastDue(slot: Slot, timeZone: string, now: Date): { date: Date; at: Date } {
  const today = dateInZone(now, timeZone)
  const day = publishInstant(today, slot, timeZone) <= now ? today : addDays(today, -1)
  return { date: toDatabaseDate(day), at: publishInstant(day, slot, timeZone) }
}

const editionsRowSchema = z.object({
  publishedAt: z.date().nullable(),
  held: z.int(),
  overdue: z.int(),
  oldestDue: z.date().nullable(),
})

/** Reads from the index of status and time, however many editions there are. */
async function readEditions(sql: Sql, now: Date): Promise<z.infer<typeof editionsRowSchema>> {
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

async function listStatuses(
  sql: Sql,
  due: readonly { slot: string; date: Date }[],
): Promise<Map<string, EditionStatus>> {
  const rows = await queryRows(sql, statusRowSchema)`
    SELECT slot, status FROM edition
    JOIN unnest(${due.map(({ date }) => date)}::date[], ${due.map(({ slot }) => slot)}::text[]) AS due (date, slot)
      USING (date, slot)`
  return new Map(rows.map(({ slot, status }) => [slot, status]))
}
