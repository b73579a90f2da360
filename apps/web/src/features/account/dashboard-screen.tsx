import { Link } from '@tanstack/react-router'
import { LogOutButton } from '#components/log-out-button.tsx'
import { AccountScreen } from './account-screen.tsx'
import { DashboardForm } from './dashboard-form.tsx'

/** A member's account: details, delivery methods, plan, sessions and data. */
export function DashboardScreen() {
  return (
    <AccountScreen title="Subscription options">
      {(member) => (
        <>
          <DashboardForm member={member} />
          <nav className="foot-links" aria-label="Elsewhere">
            <Link to="/account/change-plan">Change plan</Link>
            <Link to="/changepassword">Change password</Link>
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
