import type { CalendarDate } from './edition-key.ts'

/** Returns the last day on which a pause may end: the same day a year later. */
export function latestPauseEnd({ year, month, day }: CalendarDate): CalendarDate {
  const isLeapDay = month === 2 && day === 29
  return { year: year + 1, month, day: isLeapDay ? 28 : day }
}
