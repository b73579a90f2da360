import { useQuery } from '@tanstack/react-query'
import type { Member } from '@tidings/contracts/membership/members'
import { messages } from '@tidings/contracts/membership/messages'
import { type ReactNode, useRef } from 'react'
import { errorText } from '#lib/api/error-text.ts'
import { useServices } from '#lib/services/services.tsx'
import { AccountSection } from '../account-section.tsx'
import { nextDeliveryText } from './delivery-sentences.ts'
import { deliveriesOf } from './member-deliveries.ts'
import { PauseDeliveries } from './pause-deliveries.tsx'

type NextDeliveryProps = {
  member: Member
  /** The steps for a member to whom nothing comes. */
  children: ReactNode
}

/** Shows what is sent to a member next, or why nothing is, and a pause. */
export function NextDelivery({ member, children }: NextDeliveryProps) {
  const { memberSession, clock } = useServices()
  const { data, error, refetch } = useQuery(deliveriesOf(memberSession, member))
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <AccountSection title="What comes next" headingRef={heading}>
      {data === undefined ? (
        <>
          <p role="status">{error === null ? messages.loading : errorText(error)}</p>
          {error === null ? null : (
            <button type="button" className="link" onClick={() => void refetch()}>
              Try again
            </button>
          )}
        </>
      ) : (
        <p>{nextDeliveryText(data, clock.now())}</p>
      )}
      {children}
      {data === undefined ? null : <PauseDeliveries member={member} deliveries={data} heading={heading} />}
    </AccountSection>
  )
}
