import type { PlanChangeTerms } from '@tidings/contracts/membership/billing'
import { inMajorUnits } from '#features/members/index.ts'
import { fail as failPlan } from '#features/plans/index.ts'
import type { Subscription } from '#integrations/payments/payment-gateway.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import { majorUnits } from '#platform/money.ts'
import type { BillingDeps } from '../billing.deps.ts'
import { fail } from '../billing.errors.ts'
import type { CustomerRow } from '../customers/customers.repository.ts'
import { wireIntervalOf } from '../prices/catalog.ts'
import { type Offers, refuseOtherCurrency } from '../prices/offers.ts'
import { findPriceOf, type PriceRow, readOwnSales, readPrices } from '../prices/prices.repository.ts'
import { chooseRunning, isInGoodStanding } from '../sync/plan-connections.ts'
import { type AgreedTerms, prorationTime } from './agreed-terms.ts'

export type PrepareDeps = Pick<BillingDeps, 'database' | 'gateway' | 'clock'> & { offers: Offers }

/** A change that is previewed, not made. */
export type PreparedChange = {
  kind: 'upgrade' | 'downgrade' | 'stay'
  subscription: Subscription
  priceId: string
  proratedAt: Date
  terms: PlanChangeTerms
}

const months = { monthly: 1, yearly: 12 }

/** Previews the change of a customer's subscription to a price. Changes nothing. */
export async function prepareChange(
  { database, gateway, clock, offers }: PrepareDeps,
  app: MembershipApp,
  customer: CustomerRow,
  to: PriceRow,
  agreed: AgreedTerms = {},
): Promise<PreparedChange> {
  const own = await readOwnSales(database.db, [app.id])
  const subscription = chooseRunning(await gateway.listSubscriptions(customer.id, own))
  if (subscription === null) throw failPlan('no-plan-found')
  const from = findPriceOf(subscription, await readPrices(database.db, app.id))
  if (from === undefined) throw failPlan('no-plan-found')
  if (!isInGoodStanding(subscription)) throw fail('payment-due')
  if (subscription.endsAt !== null) throw fail('plan-canceled')
  if (subscription.isCollectionPaused) throw fail('payments-paused')
  const kind = kindOf(subscription, from, to)
  const proratedAt = prorationTime(subscription, agreed, clock.now())
  const priceId = kind === 'stay' ? subscription.priceId : to.id
  if (kind !== 'stay') {
    refuseOtherCurrency(subscription, to)
    if (to.planId !== from.planId) await offers.refuseWhenFull(app, to.planId)
  }
  const { due, renewal } =
    kind === 'upgrade'
      ? await gateway.previewChange(subscription, to.id, proratedAt)
      : { due: { amount: 0 }, renewal: await gateway.previewRenewal(subscription, priceId) }
  const { currency } = renewal
  const currentPlan = pricedPlan(app, from, subscription.price.amount)
  const interval = wireIntervalOf(kind === 'stay' ? from.interval : to.interval)
  const { taxBehavior, amounts } = renewal
  const terms: PlanChangeTerms = {
    from: currentPlan,
    // A member who stays keeps their price, even if the plan is sold at another one now.
    to: kind === 'stay' ? currentPlan : pricedPlan(app, to, to.amount),
    effective: kind === 'downgrade' ? 'period-end' : 'now',
    effectiveAt: (kind === 'downgrade' ? subscription.periodEndsAt : proratedAt).toISOString(),
    amountDue: majorUnits(Math.max(0, due.amount), currency),
    currency,
    proratedAt: proratedAt.toISOString(),
    renewalAmount: majorUnits(renewal.amount, currency),
    regularAmount: majorUnits(renewal.regularAmount, currency),
    renewal: inMajorUnits({ interval, taxBehavior, amounts }, currency),
  }
  return { kind, subscription, priceId, proratedAt, terms }
}

/** An upgrade has a longer period, or costs more for the same one. Staying drops a scheduled change. */
function kindOf(subscription: Subscription, from: PriceRow, to: PriceRow): PreparedChange['kind'] {
  if (from.priceId === to.priceId) {
    const next = subscription.schedule?.nextPriceId ?? null
    // A merchant may schedule other discounts of the same price, which is no change to cancel.
    if (next === null || next === subscription.priceId) throw failPlan('already-have-plan')
    return 'stay'
  }
  const [length, nextLength] = [from, to].map(({ interval }) => (interval === null ? 0 : months[interval]))
  if (nextLength !== length) return (nextLength ?? 0) > (length ?? 0) ? 'upgrade' : 'downgrade'
  return to.amount > subscription.price.amount ? 'upgrade' : 'downgrade'
}

function pricedPlan(app: MembershipApp, price: PriceRow, amount: number): PlanChangeTerms['from'] {
  const { planId, priceId, currency, interval } = price
  return {
    planId,
    priceId,
    currency,
    planName: app.plansById.get(planId)?.name ?? planId,
    amount: majorUnits(amount, currency),
    interval: wireIntervalOf(interval),
  }
}
