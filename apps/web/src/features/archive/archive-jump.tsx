import type { CalendarDate } from '@tidings/contracts/edition-key'
import { useMemo } from 'react'
import { monthName } from '#lib/calendar.ts'
import { type ArchiveDay, monthsOf, yearsOf } from './archive-days.ts'

type ArchiveJumpProps = {
  days: readonly ArchiveDay[]
  /** The date at the top of the view. */
  shown: CalendarDate | null
  onJump: (year: number, month: number) => void
}

/** Shows the month and the year that are in view, and leads to others. */
export function ArchiveJump({ days, shown, onJump }: ArchiveJumpProps) {
  const year = shown?.year ?? 0
  const years = useMemo(() => yearsOf(days), [days])
  const months = useMemo(() => monthsOf(days, year), [days, year])
  if (shown === null) return null
  const { month } = shown
  return (
    <fieldset className="archive-jump">
      <legend className="visually-hidden">Go to</legend>
      <select aria-label="Month" value={month} onChange={(event) => onJump(year, Number(event.target.value))}>
        {months.map((each) => (
          <option key={each} value={each}>
            {monthName(each)}
          </option>
        ))}
      </select>
      <select aria-label="Year" value={year} onChange={(event) => onJump(Number(event.target.value), month)}>
        {years.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </fieldset>
  )
}
