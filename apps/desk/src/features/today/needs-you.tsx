import './needs-you.css'
import { Link } from '@tanstack/react-router'
import { Failure } from '#components/failure.tsx'
import { useIsPhone } from '#lib/browser/use-is-phone.ts'
import type { NeedsRow } from './needs-rows.ts'
import { useNeeds } from './use-needs.ts'

/** Lists what waits for a decision, the most urgent first, each with the way to it. */
export function NeedsYou() {
  const { rows, isKnown, error } = useNeeds()
  const isPhone = useIsPhone()
  const shown = isPhone ? rows.filter(({ isUrgent }) => !isUrgent) : rows
  if (isPhone && isKnown && shown.length === 0 && rows.length > 0) return null
  return (
    <section className="needs-you" aria-labelledby="needs-you-title">
      <h2 id="needs-you-title">Needs you</h2>
      {isKnown && rows.length === 0 && <p>Nothing needs you.</p>}
      {!isKnown && error === null && <p className="loading">Loading…</p>}
      <NeedsRows rows={shown} />
      <Failure text={error?.message ?? null} />
    </section>
  )
}

/** Lists what readers wait for. On a phone it stands above the editions of the day. */
export function UrgentNeeds() {
  const { rows, isLoading } = useNeeds()
  const urgent = rows.filter(({ isUrgent }) => isUrgent)
  if (!useIsPhone()) return null
  return (
    <section className="needs-you needs-urgent" aria-label="Urgent">
      {isLoading && <p className="loading">Loading…</p>}
      <NeedsRows rows={urgent} />
    </section>
  )
}

function NeedsRows({ rows }: { rows: readonly NeedsRow[] }) {
  return (
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
  )
}
