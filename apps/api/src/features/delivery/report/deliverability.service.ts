import type { DeliverabilityQuery, DeliverabilityRow } from '@tidings/contracts/desk/deliverability'
import type { CalendarDate } from '@tidings/contracts/edition-key'
import { type DeskReply, pageReply } from '#features/desk/index.ts'
import { addDays, dateInZone, publishInstant } from '#features/editions/index.ts'
import { toDatabaseDate } from '#platform/database-date.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import {
  type CountedDay,
  listDeliverability,
  mergeDays,
  removeDays,
} from '../ledger/deliverability.repository.ts'
import { removeOldRefusals } from '../ledger/refusing-domains.repository.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock'> & { timeZone: string }

const shownDays = 14
/** Long enough to compare a month with the one a year before. */
const keptDays = 400

export type DeliverabilityService = ReturnType<typeof createDeliverability>

/** Creates the service that counts the results of emails by receiving domain and day. */
export function createDeliverability({ database, clock, timeZone }: Deps) {
  function startOf(day: CalendarDate): Date {
    return publishInstant(day, { label: '', minutes: 0 }, timeZone)
  }

  return {
    async list({ from, to, domain, limit, after }: DeliverabilityQuery): Promise<DeskReply> {
      const today = dateInZone(clock.now(), timeZone)
      const last = to === undefined ? toDatabaseDate(today) : new Date(to)
      const first =
        from === undefined ? new Date(last.getTime() - (shownDays - 1) * 86_400_000) : new Date(from)
      const page = { limit: limit + 1, after: after === undefined ? undefined : cursorOf(after) }
      const rows = await listDeliverability(database.db, { from: first, to: last, domain }, page, timeZone)
      return pageReply(rows, limit, {
        map: toRow,
        next: (row) => `${isoDay(row.day)} ${row.sent} ${row.domain}`,
      })
    },

    /** Merges the numbers of past days, and removes those that are too old. */
    async removeOld(): Promise<void> {
      const now = clock.now()
      const today = dateInZone(now, timeZone)
      await mergeDays(database.db, startOf(addDays(today, -1)), timeZone)
      await removeDays(database.db, startOf(addDays(today, -keptDays)))
      await removeOldRefusals(database.db, now)
    },
  }
}

function toRow({ day, ...row }: CountedDay): DeliverabilityRow {
  return { day: isoDay(day), ...row }
}

function isoDay(day: Date): string {
  return day.toISOString().slice(0, 10)
}

function cursorOf(after: string): Pick<CountedDay, 'day' | 'sent' | 'domain'> {
  const [day = '', sent = '', domain = ''] = after.split(' ')
  return { day: new Date(day), sent: Number(sent), domain }
}
