import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import type { PlanChangeTerms } from '@tidings/contracts/membership/billing'
import { useState } from 'react'
import { useToasts } from '#components/toaster.tsx'
import { articleOf } from '#lib/plans/checkout.ts'
import { returnPath } from '#lib/requested-path.ts'
import { AccountScreen } from '../account-screen.tsx'
import { ChangePlanForm } from './change-plan-form.tsx'
import { PlanChangePanel } from './plan-change-panel.tsx'

const dashboard = '/account/dashboard'

/** A change that waits for the member's consent, and what is saved with it. */
type Proposal = { terms: PlanChangeTerms; saveDetails: () => Promise<void> }

/**
 * Changes a member's plan and details, or leads a member without a plan to the payment. A change that takes effect at once
 * leads back to the article that needed it.
 */
export function ChangePlanScreen() {
  const { from } = useLocation().state
  const navigate = useNavigate()
  const toasts = useToasts()
  const [proposal, setProposal] = useState<Proposal | null>(null)
  const [result, setResult] = useState('')

  function finish(message: string, { effective }: PlanChangeTerms) {
    if (from !== undefined && effective === 'now') {
      toasts.show('success', message)
      void navigate({ href: returnPath(from, dashboard), replace: true })
      return
    }
    setResult(message)
    setProposal(null)
  }

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
              isChanged={result !== ''}
              onProposed={(terms, saveDetails) => {
                setResult('')
                setProposal({ terms, saveDetails })
              }}
            />
          ) : (
            <PlanChangePanel
              terms={proposal.terms}
              onConfirmed={proposal.saveDetails}
              onChanged={(message) => finish(message, proposal.terms)}
              onCancel={() => setProposal(null)}
            />
          )}
          <nav className="foot-links" aria-label="Elsewhere">
            <Link to={articleOf(from) ?? dashboard}>Go back</Link>
          </nav>
        </>
      )}
    </AccountScreen>
  )
}
