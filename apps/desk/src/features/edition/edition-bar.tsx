import { Link } from '@tanstack/react-router'
import type { DeskEdition } from '@tidings/contracts/desk/editions'
import { type CalendarDate, formatEditionKey, formatWireDate } from '@tidings/contracts/edition-key'
import { InitialsHere } from '#features/presence/initials.tsx'
import { useDeskConfig } from '#lib/desk-context.ts'
import { statusWords } from '#lib/status-words.ts'
import { useNow } from '#lib/time/use-now.ts'
import { dayText } from '#lib/time/zoned-time.ts'
import { BarActions } from './bar-actions.tsx'
import { orderOf } from './state/edition-calls.ts'
import type { EditionView } from './state/use-edition-view.ts'

type Props = { day: CalendarDate; slot: string; edition: DeskEdition | null | undefined; view: EditionView }

/** The day, its slots, the status of the edition in words, who is here, and the next step. */
export function EditionBar({ day, slot, edition, view: { tab, setTab } }: Props) {
  const { slots, timeZone } = useDeskConfig()
  const now = useNow()
  const status = edition?.status ?? 'none'
  const [first, rest] =
    edition === null || edition === undefined ? ['', ''] : statusWords(edition, { now, zone: timeZone })
  return (
    <header className="edition-bar">
      <h1>
        <Link to="/days/$day" params={{ day: formatWireDate(day) }}>
          {dayText(day)}
        </Link>
      </h1>
      <nav aria-label="Slots">
        {slots.map(({ label }) => (
          <Link
            key={label}
            to="/editions/$key"
            params={{ key: formatEditionKey(day, label) }}
            aria-current={label === slot ? 'page' : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      {first !== '' && (
        <p className={status === 'held' ? 'edition-status urgent' : 'edition-status'}>
          <span className={`mark mark-${status}`} aria-hidden="true" /> <b>{first}</b> {rest}
        </p>
      )}
      {edition !== null && edition !== undefined && (
        <div className="edition-bar-end">
          <InitialsHere ids={orderOf(edition)} label="In this edition" />
          <button
            type="button"
            className="edition-word edition-preview-word"
            aria-keyshortcuts="P"
            onClick={() => setTab(tab === 'preview' ? 'write' : 'preview')}
          >
            {tab === 'preview' ? 'Back to the text' : 'Preview'}
          </button>
          <BarActions edition={edition} slot={slot} />
        </div>
      )}
    </header>
  )
}
