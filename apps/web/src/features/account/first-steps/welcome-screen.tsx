import type { Member, PlanConnection } from '@tidings/contracts/membership/members'
import '#styles/account.css'
import '#styles/dashboard.css'
import { Link } from '@tanstack/react-router'
import { Screen } from '#components/screen.tsx'
import { useServices } from '#lib/services/services.tsx'
import { describePlan, planStateOf } from '../plan/plan-state.ts'
import { FirstSteps } from './first-steps.tsx'

type WelcomeScreenProps = { member: Member; plan: PlanConnection; onLeave: () => void }

/** Shows the plan once a payment has arrived, and the steps to the first edition. */
export function WelcomeScreen({ member, plan, onLeave }: WelcomeScreenProps) {
  const { config } = useServices()
  const title = `Your ${plan.planName} plan is active`
  return (
    <Screen title={title} className="account">
      <h1>{title}</h1>
      <p className="account-intro">Thank you. {describePlan(planStateOf(member), config.timeZone)}</p>
      <FirstSteps member={member} onLeave={onLeave} />
      <nav className="foot-links" aria-label="Elsewhere">
        <Link to="/home">View memos</Link>
      </nav>
    </Screen>
  )
}
