import { Link } from '@tanstack/react-router'
import type { PlanChangeTerms } from '@tidings/contracts/billing'
import { useState } from 'react'
import { AccountScreen } from '../account-screen.tsx'
import { ChangePlanForm } from './change-plan-form.tsx'
import { PlanChangePanel } from './plan-change-panel.tsx'

/** A change that waits for the member's consent, and what is saved with it. */
type Proposal = { terms: PlanChangeTerms; saveDetails: () => Promise<void> }

/** Changes a member's plan and details, or leads a member without a plan to the payment. */
export function ChangePlanScreen() {
  const [proposal, setProposal] = useState<Proposal | null>(null)
  const [result, setResult] = useState('')
  return (
    <AccountScreen title="Change plan">
      {(member) => (
        <>
          <p className="account-note" data-empty={result === ''} role="status">
            {result}
          </p>
          {proposal === null ? (
            <ChangePlanForm
              member={member}
              onProposed={(terms, saveDetails) => {
                setResult('')
                setProposal({ terms, saveDetails })
              }}
            />
          ) : (
            <PlanChangePanel
              terms={proposal.terms}
              onConfirmed={proposal.saveDetails}
              onChanged={(message) => {
                setResult(message)
                setProposal(null)
              }}
              onCancel={() => setProposal(null)}
            />
          )}
          <nav className="foot-links" aria-label="Elsewhere">
            <Link to="/account/dashboard">Go back</Link>
          </nav>
        </>
      )}
    </AccountScreen>
  )
}
