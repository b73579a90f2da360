import { Link, useSearch } from '@tanstack/react-router'
import type { Member } from '@tidings/contracts/membership/members'
import { useServices } from '#lib/services/services.tsx'
import { AccountSection } from '../account-section.tsx'
import { BillingButton } from '../billing-button.tsx'
import { describePlan, planStateOf } from '../plan/plan-state.ts'

/** The member's plan, what happens to it next, and where to pay for it. */
export function PlanSection({ member }: { member: Member }) {
  const { config } = useServices()
  const { checkout }: { checkout?: unknown } = useSearch({ strict: false })
  const state = planStateOf(member)
  const isUnpaid = state.stage === 'past-due' || state.stage === 'on-hold'
  const hasNone = state.stage === 'none' || state.stage === 'free' || state.stage === 'ended'
  const isArriving = hasNone && checkout === 'done'
  return (
    <AccountSection title="Plan">
      <p data-attention={isUnpaid}>
        {isArriving ? 'Your payment is being confirmed.' : describePlan(state, config.timeZone)}
      </p>
      <div className="section-actions">
        <Link to="/account/change-plan">{hasNone && !isArriving ? 'Choose a plan' : 'Change plan'}</Link>
        {member.stripeCustomerId === null || state.stage === 'none' ? null : (
          <BillingButton label={isUnpaid ? 'Update your card' : 'Billing and invoices'} />
        )}
        <Link to="/changepassword">Change password</Link>
      </div>
    </AccountSection>
  )
}
