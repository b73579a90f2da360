import { compareDates, localDate } from '#lib/format/calendar.ts'
import type { Store } from '#lib/storage/store.ts'

const visitsKey = 'tidings:visits'
const declinedKey = 'tidings:notifications-declined'
const apartMs = 30 * 60_000

/** Counts the visits of a member on this device: one begins on another day, or 30 minutes after the page was last opened. */
export function countVisit(deviceStore: Store, now: Date): number {
  const [count = 0, lastAt = 0] = (deviceStore.get(visitsKey) ?? '').split(' ').map(Number)
  const last = new Date(lastAt)
  const isNew = !(now.getTime() - lastAt < apartMs) || compareDates(localDate(last), localDate(now)) !== 0
  const visits = (Number.isInteger(count) ? count : 0) + (isNew ? 1 : 0)
  deviceStore.set(visitsKey, `${visits} ${now.getTime()}`)
  return visits
}

/** Returns whether the reader of this device doesn't want to be asked about notifications again. */
export function hasDeclined(deviceStore: Store): boolean {
  return deviceStore.get(declinedKey) !== null
}

export function saveDeclined(deviceStore: Store): void {
  deviceStore.set(declinedKey, 'yes')
}
