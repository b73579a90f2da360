import './tomorrow.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type CalendarDate, formatWireDate } from '@tidings/contracts/edition-key'
import { useId, useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { useDeskConfig, useYou, useZones } from '#lib/desk-context.ts'
import { type ComingDay, type ComingSlot, comingDays, comingEditions } from './coming-days.ts'
import { StartButton } from './start-button.tsx'

/** The slots of tomorrow and, on demand, of the six days after it. */
export function Tomorrow({ today }: { today: CalendarDate }) {
  const { slots } = useDeskConfig()
  const zones = useZones()
  const { data, error, refetch } = useQuery(comingEditions(today))
  const [tomorrow, ...later] = data === undefined ? [] : comingDays(data, { today, slots, zones })
  const id = useId()
  const [isWeekShown, setWeekShown] = useState(false)
  return (
    <section className="tomorrow" aria-labelledby={id}>
      <h2 id={id}>Tomorrow</h2>
      {data === undefined && error === null && <p className="loading">Loading…</p>}
      {error !== null && (
        <div className="failed-read">
          <Failure text={error.message} />
          <button type="button" onClick={() => void refetch()}>
            Try again
          </button>
        </div>
      )}
      <ul>
        {tomorrow?.slots.map((slot) => (
          <li key={slot.key}>
            <p className="tomorrow-slot">{slot.label}</p>
            <SlotLink slot={slot} />
            <StateOf slot={slot} />
          </li>
        ))}
      </ul>
      {later.length > 0 && (
        <button
          type="button"
          className="plain quiet"
          aria-expanded={isWeekShown}
          onClick={() => setWeekShown(!isWeekShown)}
        >
          The week ahead
        </button>
      )}
      {isWeekShown && (
        <ul aria-label="The week ahead">
          {later.map((day) => (
            <LaterDay key={day.name} day={day} />
          ))}
        </ul>
      )}
    </section>
  )
}

function SlotLink({ slot: { key, label, status } }: { slot: ComingSlot }) {
  const canWrite = useYou().roles.some((role) => role !== 'moderator')
  if (status !== 'none')
    return (
      <Link to="/editions/$key" params={{ key }} aria-label={`Open tomorrow’s ${label}`}>
        Open
      </Link>
    )
  if (!canWrite) return null
  return <StartButton editionKey={key} className="plain" label={`Start tomorrow’s ${label}`} />
}

function StateOf({ slot: { status, text } }: { slot: ComingSlot }) {
  return (
    <p className={status === 'held' ? 'tomorrow-state urgent' : 'tomorrow-state'}>
      {status !== 'none' && <span className={`mark mark-${status}`} aria-hidden="true" />} {text}
    </p>
  )
}

function LaterDay({ day: { day, name, slots } }: { day: ComingDay }) {
  const started = slots.filter(({ status }) => status !== 'none')
  return (
    <li>
      <Link to="/days/$day" params={{ day: formatWireDate(day) }} className="tomorrow-slot">
        {name}
      </Link>
      {started.length === 0 ? (
        <p className="tomorrow-state">Nothing yet</p>
      ) : (
        started.map((slot) => (
          <div key={slot.key} className="tomorrow-later">
            <span>{slot.label}</span>
            <StateOf slot={slot} />
          </div>
        ))
      )}
    </li>
  )
}
