import type { Statistics } from '@tidings/contracts/desk/statistics'
import { useState } from 'react'
import { axisOf, numberText, type PlanLine, planLinesOf, shortDate } from './numbers-words.ts'

/** The members of each plan by day, as lines or as a table. */
export function PlansChart({ data }: { data: Statistics }) {
  const [isTable, setTable] = useState(false)
  const lines = planLinesOf(data)
  return (
    <section aria-labelledby="numbers-plans">
      <header className="numbers-title">
        <h2 id="numbers-plans">Members by plan</h2>
        {lines.length > 0 && (
          <button
            type="button"
            className="plain quiet"
            aria-label={isTable ? 'Members by plan: as a chart' : 'Members by plan: as a table'}
            onClick={() => setTable(!isTable)}
          >
            {isTable ? 'As a chart' : 'As a table'}
          </button>
        )}
      </header>
      {lines.length === 0 && <p className="meta">Members were not counted on these days.</p>}
      {lines.length > 0 && (isTable ? <LineTable lines={lines} /> : <Lines lines={lines} />)}
    </section>
  )
}

const plot = { left: 44, right: 428, top: 14, bottom: 150 }
const labelHeight = 20

function Lines({ lines }: { lines: readonly PlanLine[] }) {
  const axis = axisOf(Math.max(...lines.flatMap(({ points }) => points.map(({ count }) => count))))
  const most = axis.at(-1) ?? 1
  const [first] = lines
  const days = first?.points ?? []
  const yOf = (count: number) => plot.bottom - (count / most) * (plot.bottom - plot.top)
  const xOf = (index: number) =>
    days.length < 2 ? plot.right : plot.left + (index / (days.length - 1)) * (plot.right - plot.left)
  const labels = placeLabels(lines.map(({ last }) => yOf(last)))
  const summary = lines.map(({ name, last }) => `${name} ${numberText(last)}`).join(', ')
  return (
    <svg
      viewBox="0 0 560 190"
      role="img"
      aria-label={`Members by plan: ${summary}.`}
      className="numbers-chart"
    >
      {axis.map((count) => (
        <g key={count}>
          <line x1={plot.left} x2={plot.right} y1={yOf(count)} y2={yOf(count)} />
          <text x={plot.left - 8} y={yOf(count) + 4} textAnchor="end">
            {numberText(count)}
          </text>
        </g>
      ))}
      {lines.map(({ planId, name, points, last }, index) => (
        <g key={planId} className={`numbers-plan numbers-plan-${index % 3}`}>
          <polyline points={points.map(({ count }, at) => `${xOf(at)},${yOf(count)}`).join(' ')} />
          <circle cx={plot.right} cy={yOf(last)} r={2} />
          <text x={plot.right + 10} y={(labels[index] ?? 0) + 4}>
            {`${name} ${numberText(last)}`}
          </text>
        </g>
      ))}
      <text x={plot.left} y={plot.bottom + 20}>
        {shortDate(days[0]?.day ?? '')}
      </text>
      {days.length > 1 && (
        <text x={plot.right} y={plot.bottom + 20} textAnchor="end">
          {shortDate(days.at(-1)?.day ?? '')}
        </text>
      )}
    </svg>
  )
}

/** Moves labels down that would cover the one above. */
function placeLabels(wanted: readonly number[]): number[] {
  const placed: number[] = []
  for (const y of wanted) placed.push(Math.max(y, (placed.at(-1) ?? -labelHeight) + labelHeight))
  return placed
}

function LineTable({ lines }: { lines: readonly PlanLine[] }) {
  const days = lines[0]?.points ?? []
  return (
    <div className="numbers-scroll">
      <table className="numbers-table">
        <thead>
          <tr>
            <th scope="col">Day</th>
            {lines.map(({ planId, name }) => (
              <th key={planId} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map(({ day }, index) => (
            <tr key={day}>
              <th scope="row">{shortDate(day)}</th>
              {lines.map(({ planId, points }) => (
                <td key={planId}>{numberText(points[index]?.count ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
