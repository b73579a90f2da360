import type { CalendarDate, Slot } from '@tidings/contracts/edition-key'
import { DateTime } from 'luxon'

/**
 * The instant at which a slot of a day comes, in the site's zone. A time that the clocks skip in spring comes
 * as much later as they skip; one that comes twice in autumn is the first.
 */
export function publishInstant(date: CalendarDate, slot: Slot, timeZone: string): Date {
  const time = { hour: Math.floor(slot.minutes / 60), minute: slot.minutes % 60 }
  const moment = DateTime.fromObject({ ...date, ...time }, { zone: timeZone })
  const [first = moment] = moment.getPossibleOffsets()
  return first.toJSDate()
}

/** The calendar day that an instant belongs to in a zone. */
export function dateInZone(instant: Date, timeZone: string): CalendarDate {
  const { year, month, day } = DateTime.fromJSDate(instant, { zone: timeZone })
  return { year, month, day }
}
