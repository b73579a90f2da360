import type { Statistics } from '@tidings/contracts/desk/statistics'
import type { CalendarDate } from '@tidings/contracts/edition-key'
import { useState } from 'react'
import { useIsPhone } from '#lib/browser/use-is-phone.ts'
import { axisOf, type Bar, barsOf, chartText, numberText, shortDate } from './numbers-words.ts'

/** The deliveries of each edition, as bars or as a table. */
export function DeliveredChart({ data, today }: { data: Statistics; today: CalendarDate }) {
  const [isTable, setTable] = useState(false)
  const bars = barsOf(data.editions, today)
  const isByDay = bars.length !== data.editions.length
  return (
    <section aria-labelledby="numbers-delivered" className="numbers-delivered">
      <header className="numbers-title">
        <h2 id="numbers-delivered">Delivered, by {isByDay ? 'day' : 'edition'}</h2>
        <p className="meta">{isByDay ? 'Each bar is one day.' : 'Each bar is one edition.'}</p>
        {bars.length > 0 && (
          <button
            type="button"
            className="plain quiet"
            aria-label={isTable ? 'Delivered: as a chart' : 'Delivered: as a table'}
            onClick={() => setTable(!isTable)}
          >
            {isTable ? 'As a chart' : 'As a table'}
          </button>
        )}
      </header>
      {bars.length === 0 && <p className="meta">No edition was published on these days.</p>}
      {bars.length > 0 && (isTable ? <BarTable bars={bars} isByDay={isByDay} /> : <Bars bars={bars} />)}
    </section>
  )
}

const plot = { top: 14, bottom: 164 }
const labelWidth = 60
const fewest = 12

function Bars({ bars }: { bars: readonly Bar[] }) {
  const width = useIsPhone() ? 520 : 1_160
  const right = width - labelWidth
  const axis = axisOf(Math.max(...bars.map(({ sent }) => sent)))
  const most = axis.at(-1) ?? 1
  const yOf = (count: number) => plot.bottom - (count / most) * (plot.bottom - plot.top)
  const step = right / Math.max(bars.length, fewest)
  const ticks = Math.max(Math.ceil(bars.length / 5), Math.ceil((2 * labelWidth) / step))
  return (
    <svg viewBox={`0 0 ${width} 190`} role="img" aria-label={chartText(bars)} className="numbers-chart">
      {axis.map((count) => (
        <g key={count}>
          <line x1={0} x2={right} y1={yOf(count)} y2={yOf(count)} />
          <text x={width} y={yOf(count) + 4} textAnchor="end">
            {numberText(count)}
          </text>
        </g>
      ))}
      {bars.map(({ key, day, label, sent, failed, note }, index) => {
        const height = Math.max(plot.bottom - yOf(sent), 2)
        const x = index * step + step * 0.2
        return (
          <g key={key}>
            <rect
              x={x}
              y={plot.bottom - height}
              width={step * 0.6}
              height={height}
              className={note === '' ? undefined : 'numbers-odd'}
            >
              <title>{`${label}: ${numberText(sent)} sent, ${numberText(failed)} not delivered`}</title>
            </rect>
            {note !== '' && (
              <text
                x={x + step * 0.3}
                y={plot.bottom - height - 5}
                textAnchor="middle"
                className="numbers-note"
              >
                {note}
              </text>
            )}
            {index % ticks === 0 && (
              <text x={x} y={plot.bottom + 18}>
                {shortDate(day)}
              </text>
            )}
          </g>
        )
      })}
    </svg>
  )
}

function BarTable({ bars, isByDay }: { bars: readonly Bar[]; isByDay: boolean }) {
  return (
    <table className="numbers-table">
      <thead>
        <tr>
          <th scope="col">{isByDay ? 'Day' : 'Edition'}</th>
          <th scope="col">Sent</th>
          <th scope="col">Not delivered</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ key, label, sent, failed, note }) => (
          <tr key={key}>
            <th scope="row">{label}</th>
            <td>{numberText(sent)}</td>
            <td>{numberText(failed)}</td>
            <td className={note === '' ? undefined : 'urgent'}>{note}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
