import { Link } from '@tanstack/react-router'
import {
  type CalendarDate,
  formatEditionKey,
  formatIsoDate,
  formatWireDate,
} from '@tidings/contracts/edition-key'
import { memo } from 'react'
import { formatDay } from '#lib/calendar.ts'
import type { ArchiveDay } from './archive-days.ts'

/** Returns the id of a date's row. */
export function rowId(date: CalendarDate): string {
  return `day-${formatWireDate(date)}`
}

type ArchiveRowProps = { day: ArchiveDay; startsYear: boolean }

/** A date with its slots; the first one of an earlier year stands below that year. Scrolling renders new rows only. */
export const ArchiveRow = memo(function ArchiveRow({ day: { date, slots }, startsYear }: ArchiveRowProps) {
  const withYear = `${formatDay(date, date)}, ${date.year}`
  return (
    <>
      {startsYear ? <h2 className="archive-year">{date.year}</h2> : null}
      <div className="archive-day">
        <time dateTime={formatIsoDate(date)}>{formatDay(date, date)}</time>
        <div className="archive-slots">
          {slots.map(({ label, isFilled }) =>
            isFilled ? (
              <Link
                key={label}
                to="/edition/$timestamp"
                params={{ timestamp: formatEditionKey(date, label) }}
                className="archive-slot"
              >
                {label} <span className="visually-hidden">on {withYear}</span>
              </Link>
            ) : (
              // Nothing to open: for the eye only, and drawn by the style sheet.
              <span key={label} className="archive-slot" data-label={label} aria-hidden="true" />
            ),
          )}
        </div>
      </div>
    </>
  )
})
