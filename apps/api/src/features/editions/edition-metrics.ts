import type { Slot } from '@tidings/contracts/edition-key'
import { toDatabaseDate } from '#platform/database-date.ts'
import { type DatabaseMetrics, secondsSince } from '#platform/database-metrics/database-metrics.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { editionStatuses, listStatuses, readEditions } from './edition-counts.repository.ts'
import { addDays, dateInZone, publishInstant } from './slot-times.ts'

type Deps = Pick<PlatformDeps, 'database'> & {
  databaseMetrics: DatabaseMetrics
  slots: readonly Slot[]
  timeZone: string
}

/** The statuses of the edition of a slot; `none` if editors have not begun one. */
const statuses = [...editionStatuses, 'none'] as const

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
