import './needs-you.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Failure } from '#components/failure.tsx'
import { unconfirmedQuery } from '#features/delivery/delivery-queries.ts'
import { commentCounts } from '#lib/comment-counts.ts'
import { useYou, useZones } from '#lib/desk-context.ts'
import { useNow } from '#lib/time/use-now.ts'
import { dayIn } from '#lib/time/zoned-time.ts'
import { heldQuery, needsQuery, oldestReport } from './needs-queries.ts'
import { needsRows } from './needs-rows.ts'

/** Lists what waits for a decision, the most urgent first, each with the way to it. */
export function NeedsYou() {
  const held = useQuery(heldQuery)
  const unconfirmed = useQuery(unconfirmedQuery)
  const needs = useQuery(needsQuery)
  const comments = useQuery(commentCounts)
  const reported = comments.data?.reported ?? 0
  const oldest = useQuery({ ...oldestReport, enabled: reported > 0 })
  const { site } = useZones()
  const now = useNow()
  const seesMembers = useYou().roles.some((role) => role === 'editor' || role === 'owner')
  const reads = [held, unconfirmed, needs, comments]
  const error = reads.find((read) => read.error !== null)?.error ?? null
  const isKnown = reads.every(({ data }) => data !== undefined)
  const rows = needsRows(
    {
      held: held.data ?? [],
      unconfirmed: unconfirmed.data ?? [],
      needs: needs.data ?? {
        failedSends: [],
        leftOut: [],
        deadLinks: [],
        bounces: { emails: 0, suppressed: 0 },
      },
      reported,
      oldest: oldest.data ?? null,
    },
    { today: dayIn(now, site), now, siteZone: site, seesMembers },
  )
  return (
    <section className="needs-you" aria-labelledby="needs-you-title">
      <h2 id="needs-you-title">Needs you</h2>
      {isKnown && rows.length === 0 && <p>Nothing needs you.</p>}
      {!isKnown && error === null && <p className="loading">Loading…</p>}
      <ul>
        {rows.map(({ key, title, text, action, to, search, isUrgent }) => (
          <li key={key}>
            <span className={isUrgent ? 'mark mark-held' : 'mark'} aria-hidden="true" />
            <div>
              <p className="needs-title">{title}</p>
              {text !== '' && <p className="needs-text">{text}</p>}
            </div>
            <Link to={to} search={search ?? {}} aria-label={`${action}: ${title}`}>
              {action}
            </Link>
          </li>
        ))}
      </ul>
      <Failure text={error?.message ?? null} />
    </section>
  )
}
