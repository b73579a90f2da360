import type { PlanChangeTerms, planChangeByPriceRequest } from '@tidings/contracts/membership/billing'
import type { Member } from '@tidings/contracts/membership/members'
import type { z } from 'zod'
import { fail as failMember, findMember, inMajorUnits, type MemberService } from '#features/members/index.ts'
import { fail as failPlan } from '#features/plans/index.ts'
import type { Subscription } from '#integrations/payments/payment-gateway.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import { majorUnits } from '#platform/money.ts'
import type { BillingDeps } from '../billing.deps.ts'
import { fail } from '../billing.errors.ts'
import { restoreSchedule } from '../billing.jobs.ts'
import { type CustomerRow, findCustomer } from '../customers/customers.repository.ts'
import { asPaymentErrors } from '../payment-errors.ts'
import { wireIntervalOf } from '../prices/catalog.ts'
import { type Offers, refuseOtherCurrency } from '../prices/offers.ts'
import { findPriceOf, type PriceRow, readOwnSales, readPrices } from '../prices/prices.repository.ts'
import { chooseRunning, isInGoodStanding } from '../sync/plan-connections.ts'
import type { SubscriptionSync } from '../sync/subscription-sync.service.ts'
import { type AgreedTerms, isAgreed, prorationTime } from './agreed-terms.ts'

type Deps = Pick<BillingDeps, 'database' | 'gateway' | 'jobs' | 'clock' | 'logger'> & {
  offers: Offers
  subscriptionSync: SubscriptionSync
  members: MemberService
}

/** A change that is previewed, not made. */
type Prepared = {
  kind: 'upgrade' | 'downgrade' | 'stay'
  subscription: Subscription
  priceId: string
  proratedAt: Date
  terms: PlanChangeTerms
}

/** Longer than all calls of an upgrade take. */
const restoredAfter = { seconds: 300 }

const months = { monthly: 1, yearly: 12 }

export type PlanChangeService = ReturnType<typeof createPlanChangeService>

export function createPlanChangeService(deps: Deps) {
  const { database, gateway, jobs, offers, subscriptionSync, members, clock, logger } = deps

  async function getCustomer(memberId: string): Promise<CustomerRow> {
    const row = await findMember(database.db, memberId)
    if (row === null) throw failMember('member-not-found')
    const customerId = row.stripeCustomerId
    const customer = customerId === null ? null : await findCustomer(database.db, customerId)
    if (customer === null) throw failPlan('no-plan-found')
    return customer
  }

  async function prepare(
    app: MembershipApp,
    customer: CustomerRow,
    to: PriceRow,
    agreed: AgreedTerms = {},
  ): Promise<Prepared> {
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

  /** Lets a job restore a scheduled change that an upgrade drops, if the process ends before it is charged. */
  async function restoreLater({ id: subscriptionId, itemId, schedule }: Subscription): Promise<void> {
    if (schedule === null) return
    const dropped = { subscriptionId, itemId, scheduleId: schedule.id }
    await database.transaction((tx) =>
      jobs.enqueue(tx, restoreSchedule, dropped, { startAfter: restoredAfter }),
    )
  }

  async function apply(customerId: string, prepared: Prepared): Promise<void> {
    const { kind, subscription, priceId, proratedAt } = prepared
    if (kind === 'upgrade') await restoreLater(subscription)
    try {
      await asPaymentErrors(
        logger,
        kind === 'upgrade'
          ? gateway.changeNow(subscription, priceId, proratedAt)
          : gateway.changeAtPeriodEnd(subscription, priceId),
      )
    } catch (error) {
      // The change may have been made although its response was lost.
      await database.transaction((tx) => subscriptionSync.request(tx, [customerId]))
      throw error
    }
  }

  /** Syncs now if possible: Stripe has the change, and our record may follow a moment later. */
  async function syncNow(customerId: string): Promise<void> {
    try {
      await subscriptionSync.sync(customerId)
    } catch (error) {
      logger.warn({ err: error }, 'subscription sync failed')
      await database.transaction((tx) => subscriptionSync.request(tx, [customerId]))
    }
  }

  return {
    /**
     * Previews a change. Throws `no-plan-found`, `already-have-plan`, `payment-due`, `plan-canceled`,
     * `payments-paused` and `plan-change-not-possible`.
     */
    async preview(app: MembershipApp, memberId: string, priceId: string): Promise<PlanChangeTerms> {
      const to = await offers.findSold(app, priceId)
      const customer = await getCustomer(memberId)
      return (await asPaymentErrors(logger, prepare(app, customer, to))).terms
    },
    /**
     * Upgrades now; makes any other change at the end of the paid period. Throws as `preview`, `plan-change-under-way` for a
     * concurrent change, and `price-changed` if the terms differ from the agreed ones.
     */
    async change(
      app: MembershipApp,
      memberId: string,
      { priceId, ...agreed }: z.infer<typeof planChangeByPriceRequest>,
    ): Promise<{ member: Member; change: PlanChangeTerms }> {
      const to = await offers.findSold(app, priceId)
      const customer = await getCustomer(memberId)
      const prepared = await asPaymentErrors(logger, prepare(app, customer, to, agreed))
      if (!isAgreed(agreed, prepared.terms)) throw fail('price-changed', prepared.terms)
      await apply(customer.id, prepared)
      await syncNow(customer.id)
      return { member: await members.get(app, memberId), change: prepared.terms }
    },
  }
}

/** An upgrade has a longer period, or costs more for the same one. Staying drops a scheduled change. */
function kindOf(subscription: Subscription, from: PriceRow, to: PriceRow): Prepared['kind'] {
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
