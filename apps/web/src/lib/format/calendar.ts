import type { CalendarDate } from '@tidings/contracts/edition-key'

/** Returns the date on the reader's clock. */
export function localDate(now: Date): CalendarDate {
  return { year: now.getFullYear(), month: now.getMonth() + 1, day: now.getDate() }
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns the date and the minutes after midnight in a time zone at an instant. */
export function zonedMoment(now: Date, timeZone: string): { date: CalendarDate; minutes: number } {
  // The first `Intl.DateTimeFormat` of a page takes more than 15 ms. Only older browsers need it.
  if (typeof Temporal !== 'undefined') {
    const moment = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone)
    const { year, month, day, hour, minute } = moment
    return { date: { year, month, day }, minutes: hour * 60 + minute }
  }
  const format = formats.get(timeZone) ?? createFormat(timeZone)
  formats.set(timeZone, format)
  const parts = new Map(format.formatToParts(now).map(({ type, value }) => [type, Number(value)]))
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  return {
    date: { year: part('year'), month: part('month'), day: part('day') },
    minutes: part('hour') * 60 + part('minute'),
  }
}

function createFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
}

/**
 * Returns the instant of a local time, as the server does: skipped times move forward, of repeated ones the first
 * counts.
 */
export function zonedInstant(date: CalendarDate, minutes: number, timeZone: string): Date {
  const wall = Date.UTC(date.year, date.month - 1, date.day, 0, minutes)
  const offsetAt = (ms: number) => {
    const there = zonedMoment(new Date(ms), timeZone)
    return Date.UTC(there.date.year, there.date.month - 1, there.date.day, 0, there.minutes) - ms
  }
  const before = wall - offsetAt(wall - dayMs)
  const after = wall - offsetAt(wall + dayMs)
  const fits = (ms: number) => ms + offsetAt(ms) === wall
  return new Date(fits(before) || !fits(after) ? before : after)
}

const dayMs = 86_400_000

/** Returns the date a day later. */
export function nextDay({ year, month, day }: CalendarDate): CalendarDate {
  const next = new Date(Date.UTC(year, month - 1, day + 1))
  return { year: next.getUTCFullYear(), month: next.getUTCMonth() + 1, day: next.getUTCDate() }
}

/** Returns a negative number when the first date is earlier, 0 when both are equal, a positive one otherwise. */
export function compareDates(first: CalendarDate, second: CalendarDate): number {
  return first.year - second.year || first.month - second.month || first.day - second.day
}

/** Formats a date for the masthead: 'November 20', with the year unless it is the current one. */
export function formatDay(date: CalendarDate, today: CalendarDate): string {
  const day = `${monthName(date.month)} ${date.day}`
  return date.year === today.year ? day : `${day}, ${date.year}`
}

// A table, because the first `Intl.DateTimeFormat` of a page delays its first screen.
const monthNames =
  'January February March April May June July August September October November December'.split(' ')

/** Formats minutes after midnight as a clock shows them: '10:05 AM'. */
export function formatClockTime(minutes: number): string {
  const minute = String(minutes % 60).padStart(2, '0')
  return `${Math.floor(minutes / 60) % 12 || 12}:${minute}\u00A0${minutes < 720 ? 'AM' : 'PM'}`
}

/** Returns the name of a month, from 1. */
export function monthName(month: number): string {
  return monthNames[month - 1] ?? ''
}
