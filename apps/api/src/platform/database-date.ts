import type { CalendarDate } from '@tidings/contracts/edition-key'

/** A day as the database driver takes it: midnight in UTC. */
export function toDatabaseDate({ year, month, day }: CalendarDate): Date {
  return new Date(Date.UTC(year, month - 1, day))
}

/** A day as the database driver answers it. */
export function fromDatabaseDate(date: Date): CalendarDate {
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}
