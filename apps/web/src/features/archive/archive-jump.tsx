import type { CalendarDate } from '@tidings/contracts/edition-key'
import { useMemo, useState } from 'react'
import { monthName } from '#lib/format/calendar.ts'
import { type ArchiveDay, monthsOf, yearsOf } from './archive-days.ts'

type ArchiveJumpProps = {
  days: readonly ArchiveDay[]
  /** The date at the top of the view. */
  shown: CalendarDate | null
  /** Whether the view is still moving. */
  isScrolling: boolean
  onJump: (year: number, month: number) => void
}

/** Shows the month and the year that are in view, and leads to others. */
export function ArchiveJump({ days, shown, isScrolling, onJump }: ArchiveJumpProps) {
  // The view follows a moment later, and may show a place in between. Until it rests, the other field belongs to what
  // was chosen.
  const [chosen, setChosen] = useState<{ from: CalendarDate | null; year: number; month: number } | null>(
    null,
  )
  if (chosen !== null && chosen.from !== shown && !isScrolling) setChosen(null)
  const { year, month } = chosen ?? shown ?? { year: 0, month: 0 }
  const years = useMemo(() => yearsOf(days), [days])
  const months = useMemo(() => monthsOf(days, year), [days, year])
  if (shown === null) return null

  function choose(toYear: number, toMonth: number) {
    setChosen({ from: shown, year: toYear, month: toMonth })
    onJump(toYear, toMonth)
  }

  return (
    <fieldset className="archive-jump">
      <legend className="visually-hidden">Go to</legend>
      <select aria-label="Month" value={month} onChange={(event) => choose(year, Number(event.target.value))}>
        {months.map((each) => (
          <option key={each} value={each}>
            {monthName(each)}
          </option>
        ))}
      </select>
      <select aria-label="Year" value={year} onChange={(event) => choose(Number(event.target.value), month)}>
        {years.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </fieldset>
  )
}
