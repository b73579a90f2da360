import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FoundDelivery } from '@tidings/contracts/delivery/deliveries'
import type { DeskMember } from '@tidings/contracts/desk/members'
import { useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { kindOf, methodName } from '#features/delivery/delivery-counts.ts'
import { saveCsv } from '#lib/browser/save-csv.ts'
import { useZones } from '#lib/desk-context.ts'
import { useNow } from '#lib/time/use-now.ts'
import { clockText, dayIn } from '#lib/time/zoned-time.ts'
import { olderDeliveries } from './member-calls.ts'
import { dateText, lastTime, memberName, stateWords, subjectText, whyText } from './member-words.ts'

/** The deliveries of a member, newest first, with the words of the servers. */
export function MemberDeliveries({ member }: { member: DeskMember }) {
  const { id, deliveries } = member
  const [isOpen, setOpen] = useState(false)
  const older = useInfiniteQuery(olderDeliveries(id, isOpen ? deliveries.next : null))
  const rows = [...deliveries.data, ...(older.data?.pages.flatMap(({ data }) => data) ?? [])]
  const hasOlder = isOpen ? older.hasNextPage : deliveries.next !== null
  return (
    <section aria-labelledby="member-deliveries" className="members-deliveries">
      <h2 id="member-deliveries">Deliveries</h2>
      {rows.length === 0 ? <p className="meta">Nothing was sent yet.</p> : <Rows rows={rows} />}
      {isOpen && <Failure text={older.error?.message ?? null} />}
      <div className="members-foot">
        {hasOlder && (
          <button
            type="button"
            className="plain"
            disabled={older.isFetching}
            onClick={() => (isOpen ? void older.fetchNextPage() : setOpen(true))}
          >
            Older
          </button>
        )}
        {member.name !== null && member.comments.count > 0 && (
          <Link to="/comments" search={{ show: 'all', q: memberName(member) }}>
            Comments
          </Link>
        )}
        {rows.length > 0 && (
          <button
            type="button"
            className="plain quiet"
            onClick={() => saveCsv(`deliveries-${id}`, csvOf(rows))}
          >
            CSV
          </button>
        )}
        <p className="meta">Plans, passwords and choices are the member’s to change.</p>
      </div>
    </section>
  )
}

function csvOf(rows: readonly FoundDelivery[]): string[][] {
  const lines = rows.map((row) => [
    row.edition ?? row.digest ?? '',
    methodName(row.method),
    stateWords[row.state],
    whyText(row),
    lastTime(row) ?? '',
  ])
  return [['Edition', 'By', 'State', 'Why', 'When'], ...lines]
}

function Rows({ rows }: { rows: readonly FoundDelivery[] }) {
  const { site } = useZones()
  const today = dayIn(useNow(), site)
  return (
    <table className="members-table">
      <thead>
        <tr>
          <th scope="col">Edition</th>
          <th scope="col">By</th>
          <th scope="col">State</th>
          <th scope="col">Why, in the server’s words</th>
          <th scope="col">When</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const at = lastTime(row)
          const instant = at === null ? null : new Date(at)
          return (
            <tr key={row.id}>
              <th scope="row">
                {row.edition === null ? (
                  subjectText(row, today)
                ) : (
                  <Link
                    to="/editions/$key/delivery"
                    params={{ key: row.edition }}
                    className="members-edition"
                  >
                    {subjectText(row, today)}
                  </Link>
                )}
              </th>
              <td>{methodName(row.method)}</td>
              <td
                className={
                  kindOf(row.state) === 'notDelivered' && row.state !== 'suppressed' ? 'urgent' : undefined
                }
              >
                {stateWords[row.state]}
              </td>
              <td className="members-why">{whyText(row)}</td>
              <td>
                {instant !== null && (
                  <time dateTime={instant.toISOString()} title={dateText(dayIn(instant, site), today)}>
                    {clockText(instant, site)}
                  </time>
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
