import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { LogOutButton } from '#components/log-out-button.tsx'
import { mainId } from '#components/screen.tsx'
import { useMember } from '#lib/member-session/use-member.ts'
import { AccountScreen } from '../account-screen.tsx'
import { DataSection } from '../data/data-section.tsx'
import { DeliveriesSection } from '../deliveries/deliveries-section.tsx'
import { FirstSteps } from '../first-steps/first-steps.tsx'
import { useFirstSteps } from '../first-steps/use-first-steps.ts'
import { WelcomeScreen } from '../first-steps/welcome-screen.tsx'
import { SessionsSection } from '../sessions/sessions-section.tsx'
import { CheckoutReturn, usePaidPlan } from './checkout-return.tsx'
import { DashboardForm } from './dashboard-form.tsx'
import { focusSwitches } from './delivery-switches.tsx'
import { EmailConfirmation } from './email-confirmation.tsx'
import { FeedSection } from './feed-section.tsx'
import { PhoneConfirmation } from './phone-confirmation.tsx'
import { PlanSection } from './plan-section.tsx'
import { ProfileButton } from './profile-button.tsx'
import { SuppressionNote } from './suppression-note.tsx'

/** A member's account; after a payment, first the steps to the first edition. */
export function DashboardScreen() {
  const { data: member } = useMember()
  const plan = usePaidPlan()
  const steps = useFirstSteps()
  const [hasLeft, setLeft] = useState(false)

  function leave() {
    steps.hide()
    setLeft(true)
  }

  // What had the focus is gone.
  useEffect(() => (hasLeft ? document.getElementById(mainId)?.focus() : undefined), [hasLeft])
  if (!hasLeft && plan !== undefined && member != null)
    return <WelcomeScreen member={member} plan={plan} onLeave={leave} />
  return <Dashboard hasSteps={steps.isShown} onLeave={leave} />
}

type DashboardProps = { hasSteps: boolean; onLeave: () => void }

/** Details, delivery methods, plan, feed, sessions and data. */
function Dashboard({ hasSteps, onLeave }: DashboardProps) {
  return (
    <AccountScreen title="Subscription options">
      {(member) => (
        <>
          <CheckoutReturn member={member} />
          {hasSteps ? <FirstSteps member={member} onChoose={focusSwitches} onLeave={onLeave} /> : null}
          <ProfileButton member={member} />
          <DashboardForm member={member} />
          {hasSteps ? null : <EmailConfirmation key={member.id} member={member} />}
          <SuppressionNote member={member} />
          <PhoneConfirmation member={member} />
          <nav className="foot-links account-links" aria-label="Your account">
            <Link to="/account/change-plan">Change plan</Link>
            <Link to="/changepassword">Change password</Link>
          </nav>
          <DeliveriesSection member={member} />
          <PlanSection member={member} />
          <FeedSection />
          <SessionsSection />
          <DataSection member={member} />
          <nav className="foot-links" aria-label="Elsewhere">
            <Link to="/archive">Archive</Link>
            <Link to="/gated">Gated content</Link>
            <Link to="/home">View memos</Link>
            <LogOutButton />
          </nav>
        </>
      )}
    </AccountScreen>
  )
}
