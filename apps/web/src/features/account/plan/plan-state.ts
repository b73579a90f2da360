import type { Member, PlanConnection } from '@tidings/contracts/membership/members'
import { formatBillingDay, totalWithTax } from '@tidings/contracts/membership/price-text'
import { formatMoney, formatRenewal } from '#lib/format/money.ts'
import { type PlanKind, planKindOf } from '#lib/plans/plan-kinds.ts'

type Payment = NonNullable<PlanConnection['payment']>

/** Where a member stands with their plan. `name` is the plan's. */
export type PlanState =
  | { stage: 'none' }
  | { stage: 'free'; name: string }
  | { stage: 'active' | 'past-due' | 'on-hold'; name: string; payment: Payment }
  | { stage: 'changing'; name: string; nextKind: PlanKind; date: string; payment: Payment }
  | { stage: 'ending' | 'ended'; name: string; date: string }

/** The names of the plans by kind. */
export const kindNames: Record<PlanKind, string> = { monthly: 'Monthly', yearly: 'Yearly' }

const unpaid = new Set(['PAST_DUE', 'UNPAID', 'PAUSED'])

/** Returns the state of a member's plan: of the open paid one, else of one that is on hold, free or over. */
export function planStateOf({ planConnections }: Pick<Member, 'planConnections'>): PlanState {
  const current = currentConnection(planConnections)
  if (current?.payment != null) return stateOfCurrent(current, current.payment)
  const free = planConnections.find(({ active, type }) => active && type === 'FREE')
  if (free !== undefined) return { stage: 'free', name: free.planName }
  const [last] = planConnections
    .filter(isPaid)
    .flatMap(({ planName: name, payment }) =>
      payment?.cancelAtDate == null ? [] : [{ name, date: payment.cancelAtDate }],
    )
  return last === undefined ? { stage: 'none' } : { stage: 'ended', ...last }
}

/** Returns the kind of the plan that a member has or must pay to keep; null without one. */
export function currentKind({ planConnections }: Pick<Member, 'planConnections'>): PlanKind | null {
  const current = currentConnection(planConnections)
  return current === undefined ? null : planKindOf(current.planId)
}

function currentConnection(connections: readonly PlanConnection[]): PlanConnection | undefined {
  const paid = connections.filter(isPaid)
  return paid.find(({ active }) => active) ?? paid.find(({ status }) => unpaid.has(status))
}

function isPaid({ planId }: PlanConnection): boolean {
  return planKindOf(planId) !== null
}

function stateOfCurrent({ planName: name, active, status }: PlanConnection, payment: Payment): PlanState {
  if (!active) return { stage: 'on-hold', name, payment }
  if (unpaid.has(status)) return { stage: 'past-due', name, payment }
  if (payment.cancelAtDate !== null) return { stage: 'ending', name, date: payment.cancelAtDate }
  const { nextPriceId, nextBillingDate } = payment
  // A price's id has the kind at the same place as its plan's.
  const nextKind = nextPriceId === undefined ? null : planKindOf(nextPriceId)
  if (nextKind !== null && nextBillingDate !== null)
    return { stage: 'changing', name, nextKind, date: nextBillingDate, payment }
  return { stage: 'active', name, payment }
}

/** Returns the sentence about a plan. Days are Stripe's, in UTC, as in the site's emails. */
export function describePlan(state: PlanState, timeZone: string): string {
  switch (state.stage) {
    case 'none':
      return 'You don’t have a plan yet.'
    case 'free':
      return `You have the ${state.name} plan.`
    case 'active':
      return describeActive(state.name, state.payment, timeZone)
    case 'changing': {
      const { renewal, currency } = state.payment
      const price = renewal === undefined ? '' : ` for ${formatRenewal(renewal, currency, timeZone)}`
      return `You keep ${state.name} until ${dayOf(state.date)}. Then ${kindNames[state.nextKind]} starts${price}.`
    }
    case 'past-due':
      return `Your last payment for ${state.name} didn’t go through. Update your card to keep your plan.`
    case 'on-hold':
      return `${state.name} is on hold, because a payment didn’t go through. Update your card to continue.`
    case 'ending':
      return `${state.name} ends on ${dayOf(state.date)}. Until then, you can resume it under “Billing and invoices”.`
    case 'ended':
      return `${state.name} ended on ${dayOf(state.date)}.`
  }

  function dayOf(instant: string): string {
    return formatBillingDay(new Date(instant), timeZone)
  }
}

/** Says what the next payments charge, if the API knows it. */
function describeActive(
  name: string,
  { renewal, currency, nextBillingDate }: Payment,
  timeZone: string,
): string {
  const price = renewal === undefined ? '' : `, ${formatRenewal(renewal, currency, timeZone)}`
  if (nextBillingDate === null) return `${name}${price}.`
  const total = renewal === undefined ? null : totalWithTax(renewal)
  const charge = total === null ? '' : ` for ${formatMoney(total, currency)}`
  return `${name}${price}. It renews on ${formatBillingDay(new Date(nextBillingDate), timeZone)}${charge}.`
}
