import { MembershipError } from '@tidings/client'
import type { PlanChangeTerms } from '@tidings/contracts/membership/billing'
import { useEffect, useRef, useState } from 'react'
import { Form } from '#components/forms/form.tsx'
import { type Outcome, useSubmission } from '#components/forms/use-submission.ts'
import { useToasts } from '#components/toaster.tsx'
import { errorCode } from '#lib/api/error-text.ts'
import { formatMoney } from '#lib/format/money.ts'
import { useServices } from '#lib/services/services.tsx'
import { BillingButton } from '../billing-button.tsx'
import { summarizeChange } from './plan-change-terms.ts'

type PlanChangePanelProps = {
  /** The terms of the preview. */
  terms: PlanChangeTerms
  /** Saves what else the member has changed, before anything is charged. */
  onConfirmed: () => Promise<void>
  onChanged: (message: string) => void
  onCancel: () => void
}

const cardProblems = new Set(['card-declined', 'payment-due'])

/** Shows what a plan change charges and when it takes effect, and makes it when the member confirms. */
export function PlanChangePanel({
  terms: previewed,
  onConfirmed,
  onChanged,
  onCancel,
}: PlanChangePanelProps) {
  const { config, memberSession } = useServices()
  const toasts = useToasts()
  const form = useSubmission('plan-change')
  const heading = useRef<HTMLHeadingElement>(null)
  const [changed, setChanged] = useState<PlanChangeTerms | null>(null)
  const [isCardRefused, setCardRefused] = useState(false)
  const terms = changed ?? previewed
  const { sentence, amounts } = summarizeChange(terms, config.timeZone)

  useEffect(() => heading.current?.focus(), [])

  async function change(isShown: () => boolean): Promise<Outcome> {
    const client = await memberSession.getClient()
    await onConfirmed()
    try {
      const { message } = await client.changePlan({ priceId: terms.to.priceId, terms })
      if (isShown()) onChanged(message ?? sentence)
      else toasts.show('success', message ?? sentence)
      return 'done'
    } catch (error) {
      if (cardProblems.has(errorCode(error))) setCardRefused(true)
      if (error instanceof MembershipError && error.terms !== undefined) {
        setChanged(error.terms)
        heading.current?.focus()
      }
      throw error
    }
  }

  return (
    <section className="account-panel" aria-labelledby="plan-change-title">
      <h2 id="plan-change-title" ref={heading} tabIndex={-1}>
        {changed === null ? 'Confirm the change' : 'The price has changed'}
      </h2>
      <p>
        {changed === null
          ? null
          : 'Nothing was charged, and your plan is the same. These are the new terms. '}
        {sentence}
      </p>
      <dl className="amounts">
        {amounts.map(([when, amount]) => (
          <div key={when}>
            <dt>{when}</dt>
            <dd>{amount}</dd>
          </div>
        ))}
      </dl>
      <Form
        submission={form}
        action={
          terms.amountDue === 0
            ? 'Confirm'
            : `Pay ${formatMoney(terms.amountDue, terms.currency)} and change plan`
        }
        onSubmit={() => void form.run(change)}
      >
        {null}
      </Form>
      <div className="section-actions">
        {isCardRefused ? <BillingButton label="Update your card" /> : null}
        <button
          type="button"
          className="link"
          aria-disabled={form.isBusy}
          onClick={() => form.isBusy || onCancel()}
        >
          Cancel
        </button>
      </div>
    </section>
  )
}
