import './numbers.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Statistics } from '@tidings/contracts/desk/statistics'
import { useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { saveCsv } from '#lib/browser/save-csv.ts'
import { useZones } from '#lib/desk-context.ts'
import { editionPath } from '#lib/desk-paths.ts'
import { useNow } from '#lib/time/use-now.ts'
import { dayIn } from '#lib/time/zoned-time.ts'
import { DatesForm } from './dates-form.tsx'
import { DeliveredChart } from './delivered-chart.tsx'
import { type NumbersSearch, numbersQuery, periods, usualDays } from './numbers-calls.ts'
import { editionText, figuresOf, numberText } from './numbers-words.ts'
import { PlansChart } from './plans-chart.tsx'

type Props = { search: NumbersSearch; onSearch: (search: NumbersSearch) => void }

/** Shows deliveries, members, likes and opened links of a period. */
export function NumbersScreen({ search, onSearch }: Props) {
  const { data, error, refetch } = useQuery(numbersQuery(search))
  const [asksDates, setAsksDates] = useState(search.from !== undefined)
  const days = search.from === undefined ? (search.days ?? usualDays) : null
  return (
    <div className="page numbers">
      <header className="numbers-head">
        <h1>Numbers</h1>
        <nav aria-label="Period" className="tabs">
          {periods.map((period) => (
            <Link
              key={period.days}
              to="/numbers"
              search={{ days: period.days }}
              activeOptions={{ exact: true }}
              aria-current={period.days === days ? 'page' : undefined}
              onClick={() => setAsksDates(false)}
            >
              {period.name}
            </Link>
          ))}
          <button
            type="button"
            className="plain quiet"
            aria-expanded={asksDates}
            onClick={() => setAsksDates(!asksDates)}
          >
            Dates…
          </button>
        </nav>
        {data !== undefined && (
          <button
            type="button"
            className="plain quiet numbers-csv"
            onClick={() => saveCsv('numbers', csvOf(data))}
          >
            CSV
          </button>
        )}
      </header>
      {asksDates && <DatesForm search={search} onSearch={onSearch} />}
      {error !== null && (
        <div className="failed-read">
          <Failure text={error.message} />
          <button type="button" onClick={() => void refetch()}>
            Try again
          </button>
        </div>
      )}
      {data === undefined && error === null && (
        <p role="status" className="loading">
          Loading the numbers…
        </p>
      )}
      {data !== undefined && <Numbers data={data} />}
    </div>
  )
}

function Numbers({ data }: { data: Statistics }) {
  const { site } = useZones()
  const today = dayIn(useNow(), site)
  return (
    <>
      <dl className="numbers-figures">
        {figuresOf(data).map(({ name, value, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="numbers-value">{value}</dd>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <DeliveredChart data={data} today={today} />
      <div className="numbers-columns">
        <PlansChart data={data} />
        <section aria-labelledby="numbers-liked">
          <h2 id="numbers-liked">Most liked</h2>
          {data.mostLiked.length === 0 && <p className="meta">No memo was liked on these days.</p>}
          <ol className="numbers-liked">
            {data.mostLiked.map(({ memo, title, edition, likes }) => (
              <li key={memo}>
                <Link to={editionPath(edition, memo)}>{title}</Link>
                <span>{editionText(edition, today)}</span>
                <span>{numberText(likes)}</span>
              </li>
            ))}
          </ol>
          <p className="meta">
            No mail is watched for being opened, and no reader is followed. Links are counted without names.
          </p>
        </section>
      </div>
    </>
  )
}

function csvOf({ days, plans }: Statistics): string[][] {
  const head = ['Day', 'Sent', 'Not delivered', 'Likes', 'Links opened', 'Joined', 'Left', 'Members']
  const rows = days.map((day) => [
    day.day,
    String(sumOf(day.delivered.map(({ sent }) => sent))),
    String(sumOf(day.delivered.map(({ failed }) => failed))),
    String(day.likes),
    String(sumOf(day.linksOpened.map(({ count }) => count))),
    String(day.new),
    String(day.gone),
    day.members === null ? '' : String(day.members.all),
    ...plans.map(({ planId }) =>
      day.members === null
        ? ''
        : String(day.members.byPlan.find((each) => each.planId === planId)?.count ?? 0),
    ),
  ])
  return [[...head, ...plans.map(({ name }) => name)], ...rows]
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
