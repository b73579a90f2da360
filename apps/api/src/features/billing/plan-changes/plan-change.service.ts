import type { PlanChangeTerms, planChangeByPriceRequest } from '@tidings/contracts/billing'
import type { Member } from '@tidings/contracts/members'
import type { z } from 'zod'
import { fail as failMember, findMember, type MemberService } from '#features/members/index.ts'
import { fail as failPlan } from '#features/plans/index.ts'
import type { PaymentGateway, Subscription } from '#integrations/payments/payment-gateway.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/database.ts'
import type { Logger } from '#platform/logger.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import { majorUnits } from '#platform/money.ts'
import { PaymentDueError, PriceChangedError } from '../billing.errors.ts'
import { type CustomerRow, findCustomer } from '../customers/customers.repository.ts'
import { asPaymentErrors } from '../payment-errors.ts'
import { wireIntervalOf } from '../prices/catalogue.ts'
import { type Offers, refuseOtherCurrency } from '../prices/offers.ts'
import { findPriceOf, type PriceRow, readOwnSales, readPrices } from '../prices/prices.repository.ts'
import { chooseRunning, isInGoodStanding } from '../sync/plan-connections.ts'
import type { SubscriptionSync } from '../sync/subscription-sync.service.ts'
import { type AgreedTerms, isAgreed, prorationTime } from './agreed-terms.ts'

type Deps = {
  database: Database
  gateway: PaymentGateway
  offers: Offers
  subscriptionSync: SubscriptionSync
  members: MemberService
  clock: Clock
  logger: Logger
}

export type PlanChangeService = {
  /**
   * What changing to a price would mean: when, and what is charged. Throws `no-plan-found`, `already-have-plan`,
   * `payment-due`, `plan-change-not-possible`.
   */
  preview(app: MembershipApp, memberId: string, priceId: string): Promise<PlanChangeTerms>
  /**
   * Changes to a price: at once when it is an upgrade, else at the end of what is paid. Throws as above,
   * `plan-change-under-way` when another request has changed the plan meanwhile, and `price-changed` when the terms
   * that the member agreed to are not those of the change any more.
   */
  change(
    app: MembershipApp,
    memberId: string,
    request: z.infer<typeof planChangeByPriceRequest>,
  ): Promise<{ member: Member; change: PlanChangeTerms }>
}

/** A change that has been looked at, not made. */
type Prepared = {
  kind: 'upgrade' | 'downgrade' | 'stay'
  subscription: Subscription
  /** The payment service's own id of the price to be paid. */
  priceId: string
  proratedAt: Date
  terms: PlanChangeTerms
}

const months = { monthly: 1, yearly: 12 }

/** Changing the plan by its price. */
export function createPlanChangeService(deps: Deps): PlanChangeService {
  const { database, gateway, offers, subscriptionSync, members, clock, logger } = deps

  async function customerOf(memberId: string): Promise<CustomerRow> {
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
    if (!isInGoodStanding(subscription)) throw new PaymentDueError()
    const kind = kindOf(subscription, from, to)
    const proratedAt = prorationTime(subscription, agreed, clock.now())
    const prepared = {
      kind,
      subscription,
      priceId: kind === 'stay' ? subscription.priceId : to.id,
      proratedAt,
    }
    if (kind !== 'stay') {
      refuseOtherCurrency(subscription, to)
      if (to.planId !== from.planId) await offers.refuseWhenFull(app, to.planId)
    }
    const { due, renewal } =
      kind === 'upgrade'
        ? await gateway.previewChange(subscription, to.id, proratedAt)
        : { due: { amount: 0 }, renewal: await gateway.previewRenewal(subscription, prepared.priceId) }
    const { currency } = renewal
    const paidNow = pricedPlan(app, from, subscription.price.amount)
    const terms: PlanChangeTerms = {
      from: paidNow,
      // A member who stays goes on paying what they pay, whatever the plan is sold for by now.
      to: kind === 'stay' ? paidNow : pricedPlan(app, to, to.amount),
      effective: kind === 'downgrade' ? 'period-end' : 'now',
      effectiveAt: (kind === 'downgrade' ? subscription.periodEndsAt : proratedAt).toISOString(),
      amountDue: majorUnits(Math.max(0, due.amount), currency),
      currency,
      proratedAt: proratedAt.toISOString(),
      renewalAmount: majorUnits(renewal.amount, currency),
      regularAmount: majorUnits(renewal.regularAmount, currency),
    }
    return { ...prepared, terms }
  }

  async function carryOut(
    customerId: string,
    { kind, subscription, priceId, proratedAt }: Prepared,
  ): Promise<void> {
    try {
      await asPaymentErrors(
        logger,
        kind === 'upgrade'
          ? gateway.changeNow(subscription, priceId, proratedAt)
          : gateway.changeAtPeriodEnd(subscription, priceId),
      )
    } catch (error) {
      // It may have been done although nobody said so.
      await database.transaction((tx) => subscriptionSync.request(tx, [customerId]))
      throw error
    }
  }

  /** The payment service has the change; what is stored here may follow a moment later. */
  async function followAtOnce(customerId: string): Promise<void> {
    try {
      await subscriptionSync.sync(customerId)
    } catch (error) {
      logger.warn({ err: error }, 'a changed plan could not be read back yet')
      await database.transaction((tx) => subscriptionSync.request(tx, [customerId]))
    }
  }

  return {
    async preview(app, memberId, priceId) {
      const to = await offers.findSold(app, priceId)
      const customer = await customerOf(memberId)
      return (await asPaymentErrors(logger, prepare(app, customer, to))).terms
    },
    async change(app, memberId, { priceId, ...agreed }) {
      const to = await offers.findSold(app, priceId)
      const customer = await customerOf(memberId)
      const prepared = await asPaymentErrors(logger, prepare(app, customer, to, agreed))
      if (!isAgreed(agreed, prepared.terms)) throw new PriceChangedError(prepared.terms)
      await carryOut(customer.id, prepared)
      await followAtOnce(customer.id)
      return { member: await members.get(app, memberId), change: prepared.terms }
    },
  }
}

/** An upgrade costs more: a longer period, or more for the same one. To stay takes a waiting change back. */
function kindOf(subscription: Subscription, from: PriceRow, to: PriceRow): Prepared['kind'] {
  if (from.priceId === to.priceId) {
    if (subscription.schedule?.nextPriceId == null) throw failPlan('already-have-plan')
    return 'stay'
  }
  const [length, nextLength] = [from, to].map(({ interval }) => (interval === null ? 0 : months[interval]))
  if (nextLength !== length) return (nextLength ?? 0) > (length ?? 0) ? 'upgrade' : 'downgrade'
  return to.amount > subscription.price.amount ? 'upgrade' : 'downgrade'
}

function pricedPlan(app: MembershipApp, price: PriceRow, amount: number): PlanChangeTerms['from'] {
  const { planId, priceId, currency, interval } = price
  return {
    ...{ planId, priceId, currency },
    planName: app.plansById.get(planId)?.name ?? planId,
    amount: majorUnits(amount, currency),
    interval: wireIntervalOf(interval),
  }
}
