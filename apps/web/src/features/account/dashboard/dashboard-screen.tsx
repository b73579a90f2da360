import { Link } from '@tanstack/react-router'
import type { Member } from '@tidings/contracts/membership/members'
import { useRef } from 'react'
import { LogOutButton } from '#components/log-out-button.tsx'
import { AccountScreen } from '../account-screen.tsx'
import { AccountSection } from '../account-section.tsx'
import { DataSection } from '../data/data-section.tsx'
import { NextDelivery } from '../deliveries/next-delivery.tsx'
import { PdfPages } from '../deliveries/pdf-pages.tsx'
import { RecentDeliveries } from '../deliveries/recent-deliveries.tsx'
import { SessionsSection } from '../sessions/sessions-section.tsx'
import { CheckoutReturn } from './checkout-return.tsx'
import { DashboardForm } from './dashboard-form.tsx'
import { EmailConfirmation } from './email-confirmation.tsx'
import { FeedSection } from './feed-section.tsx'
import { PhoneConfirmation } from './phone-confirmation.tsx'
import { PlanSection } from './plan-section.tsx'
import { ProfileButton } from './profile-button.tsx'
import { SuppressionNote } from './suppression-note.tsx'

/** A member's account: what comes next, how it comes, the plan, and more. */
export function DashboardScreen() {
  return (
    <AccountScreen title="Subscription options">
      {(member) => <Dashboard key={member.id} member={member} />}
    </AccountScreen>
  )
}

function Dashboard({ member }: { member: Member }) {
  const askToLeave = useRef<(() => Promise<boolean>) | null>(null)
  return (
    <>
      <CheckoutReturn member={member} />
      <NextDelivery member={member}>
        <EmailConfirmation member={member} />
        <SuppressionNote member={member} />
      </NextDelivery>
      <AccountSection title="How it comes">
        <DashboardForm member={member} askToLeave={askToLeave} />
        <PhoneConfirmation member={member} />
        <PdfPages member={member} />
      </AccountSection>
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
      <nav className="foot-links" aria-label="Elsewhere">
        <Link to="/archive">Archive</Link>
        <Link to="/gated">Gated content</Link>
        <Link to="/home">View memos</Link>
        <LogOutButton ask={() => askToLeave.current?.() ?? Promise.resolve(true)} />
      </nav>
    </>
  )
}
