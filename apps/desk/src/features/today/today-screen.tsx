import './today.css'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type CalendarDate, formatWireDate } from '@tidings/contracts/edition-key'
import { Failure } from '#components/failure.tsx'
import { deliveryReport } from '#features/delivery/delivery-queries.ts'
import { useKeys } from '#lib/browser/use-keys.ts'
import { useDeskConfig, useZones } from '#lib/desk-context.ts'
import { useNow } from '#lib/time/use-now.ts'
import { useSecond } from '#lib/time/use-second.ts'
import { addDays, dayIn, dayText } from '#lib/time/zoned-time.ts'
import { dayEditions } from './day-editions.ts'
import { heldQuery } from './needs-queries.ts'
import { heldName } from './needs-rows.ts'
import { NeedsYou, UrgentNeeds } from './needs-you.tsx'
import { daySentence, describeSlot } from './slot-column.ts'
import { SlotView } from './slot-view.tsx'
import { Tomorrow } from './tomorrow.tsx'

/** Shows a day with one column per slot; without a day, today in the zone of the site. */
export function TodayScreen({ day: chosen }: { day: CalendarDate | null }) {
  const { slots } = useDeskConfig()
  const zones = useZones()
  const now = useNow()
  const today = dayIn(now, zones.site)
  const day = chosen ?? today
  const { data: editions, error, refetch } = useQuery(dayEditions(day))
  const published = (editions ?? []).filter(({ status }) => status === 'published')
  const reports = useQueries({ queries: published.map(({ key }) => deliveryReport(key)) })
  const second = useSecond(reports.some(({ data }) => data?.state === 'planned'))
  const columns = slots.map((slot) => {
    const edition = editions?.find((each) => each.slot === slot.label) ?? null
    const delivery = edition === null ? undefined : reports[published.indexOf(edition)]?.data
    const around = { day, slot, now: second, zones, delivery: delivery ?? null }
    return { edition, column: describeSlot(edition, around) }
  })
  const isToday = formatWireDate(day) === formatWireDate(today)
  const { data: allHeld = [] } = useQuery(heldQuery)
  const sentence = daySentence(
    columns.map(({ column }) => column),
    {
      held: allHeld
        .filter(({ date }) => isToday || date === formatWireDate(day))
        .map(({ key }) => heldName(key, { today })),
      now,
    },
  )
  const next = columns.find(({ column }) => column.status !== 'published')
  const navigate = useNavigate()
  const goToDay = (by: number) =>
    void navigate({ to: '/days/$day', params: { day: formatWireDate(addDays(day, by)) } })
  useKeys({
    ...Object.fromEntries(
      columns.map(({ column: { key } }, index) => [
        index + 1,
        () => void navigate({ to: '/editions/$key', params: { key } }),
      ]),
    ),
    arrowleft: () => goToDay(-1),
    arrowright: () => goToDay(1),
  })
  return (
    <div className="page">
      <header className="masthead">
        <DayLink day={addDays(day, -1)} label="‹" />
        <div>
          <h1>{dayText(day)}</h1>
          {editions !== undefined && (
            <p className="sentence">
              {sentence.urgent !== '' && <span className="urgent">{sentence.urgent}</span>} {sentence.text}
            </p>
          )}
        </div>
        <DayLink day={addDays(day, 1)} label="›" />
      </header>
      <UrgentNeeds />
      {error !== null && (
        <div className="failed-read">
          <Failure text={error.message} />
          <button type="button" onClick={() => void refetch()}>
            Try again
          </button>
        </div>
      )}
      {editions === undefined ? (
        error === null && (
          <p role="status" className="loading">
            Loading the day…
          </p>
        )
      ) : (
        <div className="slots">
          {columns.map(({ edition, column }) => (
            <SlotView
              key={column.key}
              day={day}
              edition={edition}
              column={column}
              isNext={column === next?.column}
            />
          ))}
        </div>
      )}
      <div className="today-below">
        <NeedsYou />
        {isToday && <Tomorrow today={today} />}
      </div>
    </div>
  )
}

function DayLink({ day, label }: { day: CalendarDate; label: '‹' | '›' }) {
  const name = dayText(day, { month: undefined, day: undefined })
  return (
    <Link to="/days/$day" params={{ day: formatWireDate(day) }} className="day-link">
      {label === '‹' ? `‹ ${name}` : `${name} ›`}
    </Link>
  )
}
