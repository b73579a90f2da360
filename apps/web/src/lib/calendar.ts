import type { CalendarDate } from '@tidings/contracts/edition-key'

/** Returns the date on the reader's clock. */
export function localDate(now: Date): CalendarDate {
  return { year: now.getFullYear(), month: now.getMonth() + 1, day: now.getDate() }
}

/** Returns the date and the minutes after midnight in a time zone at an instant. */
export function zonedMoment(now: Date, timeZone: string): { date: CalendarDate; minutes: number } {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type, Number(value)]))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  return {
    date: { year: part('year'), month: part('month'), day: part('day') },
    minutes: part('hour') * 60 + part('minute'),
  }
}

/** Returns a negative number when the first date is earlier, 0 when both are equal, a positive one otherwise. */
export function compareDates(first: CalendarDate, second: CalendarDate): number {
  return first.year - second.year || first.month - second.month || first.day - second.day
}

/** Formats a date for the masthead: 'November 20', with the year unless it is the current one. */
export function formatDay(date: CalendarDate, today: CalendarDate): string {
  const day = `${monthNames[date.month - 1]} ${date.day}`
  return date.year === today.year ? day : `${day}, ${date.year}`
}

// A table, because the first `Intl.DateTimeFormat` of a page delays its first screen.
const monthNames =
  'January February March April May June July August September October November December'.split(' ')
