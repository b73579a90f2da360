import type { CalendarDate, Slot } from '@tidings/contracts/edition-key'
import { DateTime } from 'luxon'

/** Returns the instant of a slot. Skipped local times move forward an hour; of repeated ones the first counts. */
export function publishInstant(date: CalendarDate, slot: Slot, timeZone: string): Date {
  const time = { hour: Math.floor(slot.minutes / 60), minute: slot.minutes % 60 }
  const moment = DateTime.fromObject({ ...date, ...time }, { zone: timeZone })
  const [first = moment] = moment.getPossibleOffsets()
  return first.toJSDate()
}

/** Returns the instants at which a day begins and ends in a zone. */
export function boundsOfDay(date: CalendarDate, timeZone: string): { from: Date; until: Date } {
  const midnight = { label: '', minutes: 0 }
  return {
    from: publishInstant(date, midnight, timeZone),
    until: publishInstant(addDays(date, 1), midnight, timeZone),
  }
}

/** Returns the day that is this many days later. */
export function addDays({ year, month, day }: CalendarDate, days: number): CalendarDate {
  const moved = DateTime.utc(year, month, day).plus({ days })
  return { year: moved.year, month: moved.month, day: moved.day }
}

export function isSameDay(one: CalendarDate, other: CalendarDate): boolean {
  return one.year === other.year && one.month === other.month && one.day === other.day
}

/** Returns the calendar day of an instant in a zone. */
export function dateInZone(instant: Date, timeZone: string): CalendarDate {
  const { year, month, day } = DateTime.fromJSDate(instant, { zone: timeZone })
  return { year, month, day }
}
