import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Member } from '@tidings/contracts/membership/members'
import { useState } from 'react'
import { useServices } from '#lib/services/services.tsx'
import { FoldedSection } from '../folded-section.tsx'
import { deliveryRows } from './delivery-rows.ts'
import { deliveriesOf } from './member-deliveries.ts'

const shownAtFirst = 3

/** Lists the editions that were sent to a member lately, with the result of each method. */
export function RecentDeliveries({ member }: { member: Member }) {
  const { memberSession, clock } = useServices()
  const { data } = useQuery(deliveriesOf(memberSession, member))
  const [isWhole, setWhole] = useState(false)
  const rows = deliveryRows(data?.recent ?? [], clock.now())
  if (rows.length === 0) return null
  const shown = isWhole ? rows : rows.slice(0, shownAtFirst)
  return (
    <FoldedSection title="Last deliveries">
      <ul className="account-rows" aria-label="Last deliveries">
        {shown.map(({ id, edition, title, methods }) => (
          <li key={id}>
            <p>
              {edition === null ? (
                title
              ) : (
                <Link to="/edition/$timestamp" params={{ timestamp: edition }}>
                  {title}
                </Link>
              )}
              <span className="account-detail">{methods.map((method) => ` · ${method}`).join('')}</span>
            </p>
          </li>
        ))}
      </ul>
      {shown.length < rows.length ? (
        <div className="section-actions">
          <button type="button" className="link" onClick={() => setWhole(true)}>
            Show the last {rows.length}
          </button>
        </div>
      ) : null}
    </FoldedSection>
  )
}
