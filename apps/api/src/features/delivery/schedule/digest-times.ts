import type { CalendarDate, Slot } from '@tidings/contracts/edition-key'
import { addDays, dateInZone, isSameDay, publishInstant } from '#features/editions/index.ts'
import type { Db } from '#platform/database.ts'
import { findPublication, hasDeliveredEdition } from '../ledger/digest-editions.repository.ts'
import { findRun } from '../ledger/runs.repository.ts'

/** The times of a site's digests. */
export type DigestTimes = {
  timeZone: string
  slots: readonly Slot[]
  /** Minutes after midnight. */
  digestLatest: number
}

/** How many days, today included, are searched for a digest. */
const searchedDays = 8

/** Returns the time by which the digest of a day is sent. */
export function latestOf(date: CalendarDate, { digestLatest, timeZone }: DigestTimes): Date {
  return publishInstant(date, { label: '', minutes: digestLatest }, timeZone)
}

/** Returns when the digest of a day is sent if its last edition is published by then. */
export function digestSlotTime(date: CalendarDate, times: DigestTimes): Date {
  const latest = latestOf(date, times)
  const slot = times.slots.at(-1)
  const at = slot === undefined ? latest : publishInstant(date, slot, times.timeZone)
  return new Date(Math.min(at.getTime(), latest.getTime()))
}

/**
 * Returns when the digest of a day is due: with its last edition, but not before that one's slot. Without that edition,
 * it is due at the latest time.
 */
export async function digestDueAt(db: Db, date: CalendarDate, times: DigestTimes): Promise<Date> {
  const evening = await findPublication(db, date, times.slots.at(-1)?.label ?? '')
  if (evening === null || !evening.isDelivered) return latestOf(date, times)
  const at = digestSlotTime(date, times)
  if (evening.publishedAt <= at) return at
  // One of a later day counts as late, so that an editor decides.
  const isOfDay = isSameDay(dateInZone(evening.publishedAt, times.timeZone), date)
  return isOfDay ? evening.publishedAt : latestOf(date, times)
}

/** Returns when the next digest is sent that isn't under way yet, as far as is known; undefined for none. */
export async function nextDigestAt(db: Db, times: DigestTimes, now: Date): Promise<Date | undefined> {
  const today = dateInZone(now, times.timeZone)
  for (let days = 0; days < searchedDays; days += 1) {
    const date = addDays(today, days)
    const run = await findRun(db, { digestDate: date })
    if (run !== null && (run.state !== 'planned' || run.plannedAt !== null)) {
      if (run.state === 'planned' && run.sendAfter > now) return run.sendAfter
      continue
    }
    const evening = await findPublication(db, date, times.slots.at(-1)?.label ?? '')
    const at = evening === null ? digestSlotTime(date, times) : await digestDueAt(db, date, times)
    if (at > now && (evening === null || evening.isDelivered)) return at
    const latest = latestOf(date, times)
    if (latest > now && (await hasDeliveredEdition(db, date))) return latest
  }
  return undefined
}
