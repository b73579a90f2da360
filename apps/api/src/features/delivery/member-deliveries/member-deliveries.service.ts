import { latestPauseEnd } from '@tidings/contracts/delivery/pause'
import { type CalendarDate, formatIsoDate } from '@tidings/contracts/edition-key'
import {
  deliveryObstacle,
  type MemberDeliveries,
  type MemberDeliveriesRequest,
} from '@tidings/contracts/membership/deliveries'
import { addDays, dateInZone, listPublishedOfDay, publishInstant } from '#features/editions/index.ts'
import { fromDatabaseDate, toDatabaseDate } from '#platform/database-date.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { fail } from '../delivery.errors.ts'
import type { DeliveryRecipient } from '../delivery-email.ts'
import { listObstacles } from '../ledger/recipients.repository.ts'
import { findPreferences, listOfMember, updatePreferences } from '../ledger/report.repository.ts'
import { isChosenMethod, toWireMethod } from '../methods.ts'
import { subjectOf } from '../report/delivery.mapper.ts'
import { type DigestTimes, nextDigestAt } from '../schedule/digest-times.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock'> &
  DigestTimes & {
    appId: string
    pushKey: string | null
    /** The methods by which this site sends editions. */
    editionMethods: readonly DeliveryRecipient['method'][]
  }

const recentShown = 30
/** How many days, today included, are searched for an edition that is not published yet. */
const searchedDays = 8

export type MemberDeliveryService = ReturnType<typeof createMemberDeliveries>

/** Creates the service that shows members their deliveries, pauses them, and stores the pages of PDFs. */
export function createMemberDeliveries(deps: Deps) {
  const { database, clock, appId, pushKey, timeZone, slots } = deps
  const methods = [...deps.editionMethods, 'digest'] as const

  /** Returns when the next edition is due; not of one that was published early. */
  async function nextEditionAt(today: CalendarDate): Promise<Date | undefined> {
    for (let days = 0; days < searchedDays; days += 1) {
      const date = addDays(today, days)
      const published = new Set((await listPublishedOfDay(database.db, date)).map(({ slot }) => slot))
      const times = slots
        .filter(({ label }) => !published.has(label))
        .map((slot) => publishInstant(date, slot, timeZone))
      const next = times.find((time) => time > clock.now())
      if (next !== undefined) return next
    }
    return undefined
  }

  async function read(memberId: string): Promise<MemberDeliveries> {
    const today = dateInZone(clock.now(), timeZone)
    const active = await listObstacles(database.db, memberId, { appId, today, pushKey }, methods)
    const { pausedUntil, pdfFormat } = await findPreferences(database.db, memberId)
    const { open, notification, obstacle } = nextOf(active)
    const editionAt = await nextEditionAt(today)
    const at = open === 'digest' ? await nextDigestAt(database.db, deps, clock.now()) : editionAt
    const recent = await listOfMember(database.db, memberId, recentShown)
    return {
      next:
        open === undefined || at === undefined ? null : { method: toWireMethod(open), at: at.toISOString() },
      nextNotification:
        notification === undefined || editionAt === undefined ? null : { at: editionAt.toISOString() },
      obstacle,
      pausedUntil:
        pausedUntil !== null && pausedUntil > toDatabaseDate(today)
          ? formatIsoDate(fromDatabaseDate(pausedUntil))
          : null,
      pdfFormat,
      recent: recent.map(({ method, ...row }) => ({
        ...subjectOf(row),
        method: toWireMethod(method),
        state: row.state,
        reason: row.reason,
        sentAt: row.sentAt?.toISOString() ?? null,
        dueAt: row.state === 'planned' ? (row.nextAttemptAt?.toISOString() ?? null) : null,
      })),
    }
  }

  /** Throws for a pause that ends later than in a year. */
  function requirePauseOfAYear(until: string): void {
    const latest = formatIsoDate(latestPauseEnd(dateInZone(clock.now(), timeZone)))
    if (until <= latest) return
    throw fail('invalid-request', `pausedUntil: must be ${latest} or earlier. A pause lasts a year at most.`)
  }

  return {
    read,
    /** Pauses all deliveries until a day, ends the pause, or changes the pages of PDFs. */
    async change(
      memberId: string,
      { pausedUntil: until, pdfFormat }: MemberDeliveriesRequest,
    ): Promise<MemberDeliveries> {
      if (typeof until === 'string') requirePauseOfAYear(until)
      const pausedUntil = typeof until === 'string' ? new Date(`${until}T00:00:00.000Z`) : until
      await updatePreferences(database.db, memberId, {
        ...(pausedUntil !== undefined && { pausedUntil }),
        ...(pdfFormat !== undefined && { pdfFormat }),
      })
      return await read(memberId)
    },
  }
}

type ActiveMethod = { method: DeliveryRecipient['method']; obstacle: string | null }

/** Returns the methods of a member's next edition or digest, whether browsers are notified, and the obstacle. */
function nextOf(active: readonly ActiveMethod[]) {
  const chosen = active.flatMap(({ method, obstacle }) =>
    isChosenMethod(method) ? [{ method, obstacle }] : [],
  )
  const open = chosen.find(({ obstacle }) => obstacle === null)
  const notification = active.find(({ method, obstacle }) => !isChosenMethod(method) && obstacle === null)
  // Browsers are the only method of a member who has chosen none.
  const [first] = chosen.length > 0 ? chosen : active
  const obstacle = first === undefined ? 'no-method' : first.obstacle
  return {
    open: open?.method,
    notification,
    obstacle: open === undefined ? deliveryObstacle.nullable().parse(obstacle) : null,
  }
}
