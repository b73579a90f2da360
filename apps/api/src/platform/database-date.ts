import type { CalendarDate } from '@tidings/contracts/edition-key'

/** Converts a day to the driver's form: midnight in UTC. */
export function toDatabaseDate({ year, month, day }: CalendarDate): Date {
  return new Date(Date.UTC(year, month - 1, day))
}

/** Converts the driver's form of a day back. */
export function fromDatabaseDate(date: Date): CalendarDate {
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}
