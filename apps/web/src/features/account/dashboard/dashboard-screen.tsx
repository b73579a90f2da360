import { Link } from '@tanstack/react-router'
import type { Member } from '@tidings/contracts/membership/members'
import { useEffect, useState } from 'react'
import { LoadingSkeleton } from '#components/loading-skeleton.tsx'
import { LogOutButton } from '#components/log-out-button.tsx'
import { mainId } from '#components/screen.tsx'
import { useMember } from '#lib/member/use-member.ts'
import { AccountScreen } from '../account-screen.tsx'
import { AccountSection } from '../account-section.tsx'
import { EmailConfirmation } from '../confirmations/email-confirmation.tsx'
import { PhoneConfirmation } from '../confirmations/phone-confirmation.tsx'
import { DataSection } from '../data/data-section.tsx'
import { focusSwitches } from '../deliveries/delivery-switches.tsx'
import { NextDelivery } from '../deliveries/next-delivery.tsx'
import { PdfPages } from '../deliveries/pdf-pages.tsx'
import { RecentDeliveries } from '../deliveries/recent-deliveries.tsx'
import { FirstSteps } from '../first-steps/first-steps.tsx'
import { useFirstSteps } from '../first-steps/use-first-steps.ts'
import { WelcomeScreen } from '../first-steps/welcome-screen.tsx'
import { NotificationsSection } from '../notifications/notifications-section.tsx'
import { SessionsSection } from '../sessions/sessions-section.tsx'
import { CheckoutReturn, usePaidPlan } from './checkout-return.tsx'
import { DashboardForm } from './dashboard-form.tsx'
import { FeedSection } from './feed-section.tsx'
import { PlanSection } from './plan-section.tsx'
import { ProfileButton } from './profile-button.tsx'
import { SuppressionNote } from './suppression-note.tsx'
import { useIsRead } from './use-is-read.ts'

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

  // The focused element is gone.
  useEffect(() => (hasLeft ? document.getElementById(mainId)?.focus() : undefined), [hasLeft])
  if (!hasLeft && plan !== undefined && member != null)
    return <WelcomeScreen member={member} plan={plan} onLeave={leave} />
  return (
    <AccountScreen title="Subscription options">
      {(account) => <Dashboard key={account.id} member={account} hasSteps={steps.isShown} onLeave={leave} />}
    </AccountScreen>
  )
}

type DashboardProps = { member: Member; hasSteps: boolean; onLeave: () => void }

/** Shows the next edition, how it comes, the plan, and more. */
function Dashboard({ member, hasSteps, onLeave }: DashboardProps) {
  const isRead = useIsRead(member)
  return (
    <>
      {isRead ? null : <LoadingSkeleton />}
      <div hidden={!isRead}>
        <CheckoutReturn member={member}>
          {hasSteps ? <FirstSteps member={member} onChoose={focusSwitches} onLeave={onLeave} /> : null}
          <NextDelivery member={member}>
            {hasSteps ? null : <EmailConfirmation member={member} />}
            <SuppressionNote member={member} />
          </NextDelivery>
          <AccountSection title="How it comes">
            <DashboardForm member={member} />
            <PhoneConfirmation member={member} field="above" />
            <PdfPages member={member} />
          </AccountSection>
          <NotificationsSection member={member} />
          <PlanSection member={member} />
          <AccountSection title="More">
            <div className="account-more">
              <RecentDeliveries member={member} />
              <FeedSection />
              <SessionsSection />
              <DataSection member={member} />
              <ProfileButton member={member} />
            </div>
          </AccountSection>
        </CheckoutReturn>
      </div>
      <nav className="foot-links" aria-label="Elsewhere">
        <Link to="/archive">Archive</Link>
        <Link to="/gated">Gated content</Link>
        <Link to="/home">View memos</Link>
        <LogOutButton />
      </nav>
    </>
  )
}
