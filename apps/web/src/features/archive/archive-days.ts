import { type CalendarDate, formatWireDate, type Slot } from '@tidings/contracts/edition-key'
import { compareDates } from '#lib/format/calendar.ts'

type Edition = { date: CalendarDate; slot: string }

/** One row of the archive: a date, and its slots in order of time. */
export type ArchiveDay = { date: CalendarDate; slots: { label: string; isFilled: boolean }[] }

/** Returns the dates that have editions, newest first. */
export function archiveDays(editions: readonly Edition[], slots: readonly Slot[]): ArchiveDay[] {
  const byDate = new Map<string, { date: CalendarDate; filled: string[] }>()
  for (const { date, slot } of editions) {
    const key = formatWireDate(date)
    const day = byDate.get(key) ?? { date, filled: [] }
    day.filled.push(slot)
    byDate.set(key, day)
  }
  return [...byDate.values()]
    .sort((a, b) => compareDates(b.date, a.date))
    .map(({ date, filled }) => ({ date, slots: slotsOf(filled, slots) }))
}

/** The evening edition may have had another time once: it takes the place of the last slot where that is empty. */
function slotsOf(filled: readonly string[], slots: readonly Slot[]): ArchiveDay['slots'] {
  const labels = slots.map(({ label }) => label)
  const others = filled.filter((label) => !labels.includes(label))
  const last = labels.at(-1)
  if (others.length > 0 && last !== undefined && !filled.includes(last)) labels.pop()
  return [...labels, ...others].map((label) => ({ label, isFilled: filled.includes(label) }))
}

/** Returns the years that have editions, newest first. */
export function yearsOf(days: readonly ArchiveDay[]): number[] {
  return [...new Set(days.map(({ date }) => date.year))]
}

/** Returns the months of a year that have editions, newest first. */
export function monthsOf(days: readonly ArchiveDay[], year: number): number[] {
  return [...new Set(days.filter(({ date }) => date.year === year).map(({ date }) => date.month))]
}

/**
 * Returns the index of the newest date of a month. In a year without that month, the next earlier one of the year
 * counts, or else its earliest.
 */
export function indexOfMonth(days: readonly ArchiveDay[], year: number, month: number): number {
  const index = days.findIndex(({ date }) => date.year === year && date.month <= month)
  if (index !== -1) return index
  const earliest = monthsOf(days, year).at(-1)
  return days.findIndex(({ date }) => date.year === year && date.month === earliest)
}
