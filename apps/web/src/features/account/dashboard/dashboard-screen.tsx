import { Link } from '@tanstack/react-router'
import { LogOutButton } from '#components/log-out-button.tsx'
import { AccountScreen } from '../account-screen.tsx'
import { DataSection } from '../data/data-section.tsx'
import { DeliveriesSection } from '../deliveries/deliveries-section.tsx'
import { NotificationsSection } from '../notifications/notifications-section.tsx'
import { SessionsSection } from '../sessions/sessions-section.tsx'
import { CheckoutReturn } from './checkout-return.tsx'
import { DashboardForm } from './dashboard-form.tsx'
import { EmailConfirmation } from './email-confirmation.tsx'
import { FeedSection } from './feed-section.tsx'
import { PhoneConfirmation } from './phone-confirmation.tsx'
import { PlanSection } from './plan-section.tsx'
import { ProfileButton } from './profile-button.tsx'
import { SuppressionNote } from './suppression-note.tsx'

/** A member's account: details, delivery methods, plan, feed, sessions and data. */
export function DashboardScreen() {
  return (
    <AccountScreen title="Subscription options">
      {(member) => (
        <>
          <CheckoutReturn member={member} />
          <ProfileButton member={member} />
          <DashboardForm member={member} />
          <EmailConfirmation member={member} />
          <SuppressionNote member={member} />
          <PhoneConfirmation member={member} />
          <nav className="foot-links account-links" aria-label="Your account">
            <Link to="/account/change-plan">Change plan</Link>
            <Link to="/changepassword">Change password</Link>
          </nav>
          <DeliveriesSection member={member} />
          <NotificationsSection member={member} />
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
