import './needs-you.css'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { DeskDelivery } from '@tidings/contracts/delivery/deliveries'
import type { DeskEditionSummary } from '@tidings/contracts/desk/editions'
import * as routes from '@tidings/contracts/desk/routes'
import { formatWireDate, parseEditionKey, parseWireDate } from '@tidings/contracts/edition-key'
import { Failure } from '#components/failure.tsx'
import { unconfirmedQuery } from '#features/delivery/delivery-queries.ts'
import { counted } from '#features/delivery/delivery-words.ts'
import { call } from '#lib/api/call.ts'
import { commentCounts } from '#lib/comment-counts.ts'
import { dayText } from '#lib/time/zoned-time.ts'

const heldQuery = queryOptions({
  queryKey: ['editions', 'held'],
  async queryFn({ signal }): Promise<DeskEditionSummary[]> {
    return (await call(routes.listEditions, { query: { status: 'held' } }, { signal })).data
  },
})

/** Lists what waits for a decision: held editions, unconfirmed deliveries and reported comments. */
export function NeedsYou() {
  const held = useQuery(heldQuery)
  const unconfirmed = useQuery(unconfirmedQuery)
  const comments = useQuery(commentCounts)
  const error = held.error ?? unconfirmed.error ?? comments.error
  const isKnown = held.data !== undefined && unconfirmed.data !== undefined && comments.data !== undefined
  const editions = editionsOf(unconfirmed.data ?? [])
  const reported = comments.data?.reported ?? 0
  const isEmpty = isKnown && held.data.length === 0 && editions.length === 0 && reported === 0
  return (
    <section className="needs-you" aria-labelledby="needs-you-title">
      <h2 id="needs-you-title">Needs you</h2>
      {isEmpty && <p>Nothing needs you.</p>}
      {!isKnown && error === null && <p className="loading">Loading…</p>}
      <ul>
        {(held.data ?? []).map(({ key, slot, date, heldReason }) => (
          <li key={key}>
            <span>Held</span>
            <span>
              {slot} of {dayName(date)}. {heldReason}
            </span>
            <Link to="/days/$day" params={{ day: date }}>
              Decide
            </Link>
          </li>
        ))}
        {editions.map(({ key, count }) => (
          <li key={key}>
            <span>Unconfirmed</span>
            <span>
              {counted(count, 'delivery', 'deliveries')} of {editionName(key)}.
            </span>
            <Link to="/editions/$key/delivery" params={{ key }}>
              Decide
            </Link>
          </li>
        ))}
        {reported > 0 && (
          <li>
            <span>Comments</span>
            <span>{counted(reported, 'comment is', 'comments are')} reported.</span>
          </li>
        )}
      </ul>
      <Failure text={error?.message ?? null} />
    </section>
  )
}

/** Counts the deliveries of each edition. Those of digests have no screen. */
function editionsOf(deliveries: readonly DeskDelivery[]): { key: string; count: number }[] {
  const keys = deliveries.flatMap(({ edition }) => (edition === null ? [] : [edition]))
  return [...new Set(keys)].map((key) => ({ key, count: keys.filter((each) => each === key).length }))
}

function editionName(key: string): string {
  const parsed = parseEditionKey(key)
  return parsed === null ? key : `${parsed.slot} of ${dayName(formatWireDate(parsed.date))}`
}

function dayName(date: string): string {
  const day = parseWireDate(date)
  return day === null ? date : dayText(day)
}
