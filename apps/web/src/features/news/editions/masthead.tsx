import { Link } from '@tanstack/react-router'
import { type CalendarDate, formatEditionKey, formatIsoDate } from '@tidings/contracts/edition-key'
import { formatDay, localDate } from '#lib/format/calendar.ts'
import { useServices } from '#lib/services/services.tsx'

type MastheadProps = {
  date: CalendarDate
  /** Slots of the day with a published edition; null while they load. */
  published: readonly string[] | null
  /** The slot that is shown, underlined; null for none. */
  shownSlot: string | null
  /** Whether the reader chose that slot. */
  isChosen: boolean
  onToday: () => void
}

/** The date, which links to today, and the day's slots below it. */
export function Masthead({ date, published, shownSlot, isChosen, onToday }: MastheadProps) {
  const { config, clock } = useServices()
  const unconfigured = (published ?? []).filter((label) => !config.slots.some((slot) => slot.label === label))
  const labels = [...config.slots.map((slot) => slot.label), ...unconfigured]
  return (
    <header className="masthead">
      <p className="site-name">{config.siteName}</p>
      <h1>
        <Link to="/home" className="masthead-date" onClick={onToday}>
          <time dateTime={formatIsoDate(date)}>{formatDay(date, localDate(clock.now()))}</time>
        </Link>
      </h1>
      <nav aria-label="Editions of this day">
        <ul className="slots">
          {labels.map((label) => (
            <li key={label}>
              <Link
                to="/edition/$timestamp"
                params={{ timestamp: formatEditionKey(date, label) }}
                className="slot"
                disabled={published?.includes(label) !== true}
                data-shown={label === shownSlot}
                aria-current={label === shownSlot ? (isChosen ? 'page' : 'true') : undefined}
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  )
}
