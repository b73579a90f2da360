import { type MethodCounts, methodName, type Totals } from './delivery-counts.ts'

const columns = ['sent', 'waiting', 'unconfirmed', 'notDelivered', 'all'] as const
const columnNames = {
  sent: 'Sent',
  waiting: 'Waiting',
  unconfirmed: 'Unconfirmed',
  notDelivered: 'Not delivered',
  all: 'All',
} as const

/** The deliveries by method, with a bar of what was sent. */
export function CountsTable({ rows, totals }: { rows: readonly MethodCounts[]; totals: Totals }) {
  return (
    <div className="delivery-scroll">
      <table className="delivery-table">
        <thead>
          <tr>
            <th scope="col">By</th>
            <td className="delivery-bar-cell" />
            {columns.map((column) => (
              <th key={column} scope="col">
                {columnNames[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.method} name={methodName(row.method)} counts={row} hasBar />
          ))}
        </tbody>
        <tfoot>
          <Row name="Together" counts={totals} hasBar={false} />
        </tfoot>
      </table>
    </div>
  )
}

function Row({ name, counts, hasBar }: { name: string; counts: Totals; hasBar: boolean }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className="delivery-bar-cell">{hasBar && <Bar {...counts} />}</td>
      {columns.map((column) => (
        <td key={column} className={column === 'unconfirmed' && counts[column] > 0 ? 'urgent' : undefined}>
          {counts[column].toLocaleString('en')}
        </td>
      ))}
    </tr>
  )
}

function Bar({ sent, all }: Pick<Totals, 'sent' | 'all'>) {
  return (
    <svg className="delivery-bar" aria-hidden="true">
      <rect className="delivery-bar-all" width="100%" height="100%" rx="2" />
      <rect
        className="delivery-bar-sent"
        width={`${all === 0 ? 0 : (sent / all) * 100}%`}
        height="100%"
        rx="2"
      />
    </svg>
  )
}
