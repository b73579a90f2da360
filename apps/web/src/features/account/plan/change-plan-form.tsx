import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation, useSearch } from '@tanstack/react-router'
import type { PlanChangeTerms } from '@tidings/contracts/membership/billing'
import type { Member } from '@tidings/contracts/membership/members'
import { siteMessages } from '@tidings/contracts/site/site-messages'
import { useState } from 'react'
import { emailCheck, nameCheck, optional, phoneCheck, required } from '#components/forms/field-checks.ts'
import { Form } from '#components/forms/form.tsx'
import { type Outcome, useSubmission } from '#components/forms/use-submission.ts'
import { ShownError } from '#lib/api/error-text.ts'
import { buyAtShownPrice } from '#lib/plans/changed-prices.ts'
import { startCheckout } from '#lib/plans/checkout.ts'
import { type PlanKind, planKindOf, priceOfKind } from '#lib/plans/plan-kinds.ts'
import { plansOf } from '#lib/plans/plans.ts'
import { useServices } from '#lib/services/services.tsx'
import { BillingButton } from '../billing-button.tsx'
import {
  type AccountDetails,
  detailsOf,
  detailsSince,
  phoneToStore,
  saveAccount,
} from '../details/account-details.ts'
import { DetailsFields } from '../details/details-fields.tsx'
import { detailErrors } from '../details/field-errors.ts'
import { PlanChoice } from './plan-choice.tsx'
import { currentKind, describePlan, planStateOf } from './plan-state.ts'

type ChangePlanFormProps = {
  member: Member
  /** Whether the result of a change stands above, which says what the plan is. */
  isChanged: boolean
  /** Called with the terms of the chosen plan, before anything is saved or charged. */
  onProposed: (terms: PlanChangeTerms, saveDetails: () => Promise<void>) => void
}

/** A member's details and the choice of a plan. */
export function ChangePlanForm({ member, isChanged, onProposed }: ChangePlanFormProps) {
  const services = useServices()
  const { config, memberSession } = services
  const queryClient = useQueryClient()
  const { data: plans = [] } = useQuery(plansOf(memberSession))
  const stored = detailsOf(member)
  const form = useSubmission('change-plan', {
    name: required('Enter your name.', nameCheck),
    email: optional(emailCheck),
    phone: required('Enter your phone number.', phoneCheck(config.phoneRegion, stored.phone)),
  })
  const [edited, setEdited] = useState<Partial<AccountDetails>>({})
  const { planKind } = useLocation().state
  const requested = useRequestedKind()
  const [chosen, setChosen] = useState<PlanKind | null>(planKind ?? requested)
  const state = planStateOf(member)
  const current = currentKind(member)
  const kind = chosen ?? current ?? 'monthly'
  const details = { ...stored, ...edited }
  const isUnpaid = state.stage === 'past-due' || state.stage === 'on-hold'

  async function saveDetails(): Promise<void> {
    await saveAccount(await memberSession.getClient(), services, { stored, details })
    setEdited((now) => detailsSince(edited, now))
  }

  async function propose(wanted: PlanKind): Promise<Outcome> {
    const price = priceOfKind(await queryClient.ensureQueryData(plansOf(memberSession)), wanted)
    if (price === undefined) throw new ShownError('This plan isn’t available right now. Try again later.')
    const client = await memberSession.getClient()
    const { data } = await client.previewPlanChange({ priceId: price.id })
    onProposed(data, saveDetails)
    return 'done'
  }

  async function update(): Promise<Outcome> {
    // A wrong number is refused before the member is asked to pay.
    await phoneToStore({ stored, details }, config)
    if (current !== null && kind !== current) return await propose(kind)
    await saveDetails()
    if (current !== null) return { text: siteMessages.updateSucceeded }
    const client = await memberSession.getClient()
    return {
      page: await startCheckout(client, kind, '/account/change-plan?checkout=canceled', { shown: plans }),
    }
  }

  function submit() {
    const { name, email, phone } = details
    void form.submit({
      values: { name, email, phone },
      missing: siteMessages.checkItems,
      action: () => buyAtShownPrice(queryClient, memberSession, update),
      errorsOf: detailErrors,
    })
  }

  return (
    <>
      {current === null ? <CanceledCheckout /> : null}
      {isChanged ? null : (
        <p className="account-intro" data-attention={isUnpaid}>
          {describePlan(state, config.timeZone)}
        </p>
      )}
      <div className="section-actions">
        {isUnpaid ? <BillingButton label="Update your card" /> : null}
        {state.stage === 'ending' ? <BillingButton label="Resume your plan" /> : null}
        {state.stage === 'changing' && current !== null ? (
          <button
            type="button"
            className="link"
            aria-disabled={form.isBusy}
            onClick={() => void form.run(() => propose(current))}
          >
            Keep {state.name}
          </button>
        ) : null}
      </div>
      <Form submission={form} action={current === null ? 'Continue to payment' : 'Update'} onSubmit={submit}>
        <DetailsFields
          form={form}
          values={details}
          storedEmail={stored.email}
          onChange={(change) => setEdited((before) => ({ ...before, ...change }))}
        />
        <PlanChoice plans={plans} chosen={kind} current={current} onChange={setChosen} />
      </Form>
    </>
  )
}

/** Returns the kind of the price that a checkout asked for, whose subscriber comes here instead; null without one. */
function useRequestedKind(): PlanKind | null {
  const { priceId }: { priceId?: unknown } = useSearch({ strict: false })
  return typeof priceId === 'string' ? planKindOf(priceId) : null
}

function CanceledCheckout() {
  const { checkout }: { checkout?: unknown } = useSearch({ strict: false })
  if (checkout !== 'canceled') return null
  return (
    <p className="account-note" role="status">
      You canceled the payment. Nothing was charged.
    </p>
  )
}
