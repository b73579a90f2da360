import { useRouter } from '@tanstack/react-router'
import {
  type CalendarDate,
  formatEditionKey,
  formatIsoDate,
  formatWireDate,
} from '@tidings/contracts/edition-key'
import { type MouseEvent, memo } from 'react'
import { formatDay } from '#lib/format/calendar.ts'
import type { ArchiveDay } from './archive-days.ts'

/** Returns the id of a date's row. */
export function rowId(date: CalendarDate): string {
  return `day-${formatWireDate(date)}`
}

type ArchiveRowProps = { day: ArchiveDay; startsYear: boolean }

/** A date with its slots; the first one of an earlier year stands below that year. Scrolling renders new rows only. */
export const ArchiveRow = memo(function ArchiveRow({ day: { date, slots }, startsYear }: ArchiveRowProps) {
  const { navigate } = useRouter()

  /** Opens an edition, unless the reader wants it in another tab. */
  function open(event: MouseEvent, label: string) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void navigate({ to: '/edition/$timestamp', params: { timestamp: formatEditionKey(date, label) } })
  }

  const withYear = `${formatDay(date, date)}, ${date.year}`
  return (
    <>
      {startsYear ? <h2 className="archive-year">{date.year}</h2> : null}
      <div className="archive-day">
        <time dateTime={formatIsoDate(date)}>{formatDay(date, date)}</time>
        <div className="archive-slots">
          {slots.map(({ label, isFilled }) =>
            isFilled ? (
              // A plain link: each of the router's own costs more than the rest of its row.
              <a
                key={label}
                href={`#/edition/${encodeURIComponent(formatEditionKey(date, label))}`}
                className="archive-slot"
                aria-label={`${label} on ${withYear}`}
                onClick={(event) => open(event, label)}
              >
                {label}
              </a>
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
