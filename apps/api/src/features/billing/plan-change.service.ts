import type { PlanChangeTerms } from '@tidings/contracts/billing'
import type { Member } from '@tidings/contracts/members'
import {
  CustomerGoneError,
  type PaymentGateway,
  type Subscription,
} from '../../integrations/payments/payment-gateway.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import type { Logger } from '../../platform/logger.ts'
import type { MembershipApp } from '../../platform/membership-apps/membership-apps.ts'
import { majorUnits } from '../../platform/money.ts'
import { findMember, MemberNotFoundError, type MemberService } from '../members/index.ts'
import { AlreadyHavePlanError, NoPlanFoundError } from '../plans/index.ts'
import { PaymentDueError, PaymentsNotSetUpError } from './billing.errors.ts'
import { type PriceRow, readPrices } from './billing.repository.ts'
import type { CheckoutService } from './checkout.service.ts'
import { chooseLiving } from './connections.ts'
import { orTellMember } from './gateway-failures.ts'
import type { ReadingService } from './readings.service.ts'

type Deps = {
  database: Database
  gateway: PaymentGateway
  checkout: CheckoutService
  readings: ReadingService
  members: MemberService
  clock: Clock
  logger: Logger
}

export type PlanChangeService = {
  /** What changing to a price would mean: when, and what is charged. Throws `no-plan-found`, `already-have-plan`. */
  preview(app: MembershipApp, memberId: string, priceId: string): Promise<PlanChangeTerms>
  /** Changes to a price: at once when it is an upgrade, else at the end of what is paid. */
  change(
    app: MembershipApp,
    memberId: string,
    priceId: string,
  ): Promise<{ member: Member; change: PlanChangeTerms }>
}

/** A change that has been looked at, not made. */
type Prepared = {
  kind: 'upgrade' | 'downgrade' | 'stay'
  customerId: string
  subscription: Subscription
  to: PriceRow
  proratedAt: Date
  terms: PlanChangeTerms
}

const months = { monthly: 1, yearly: 12 }

/** Changing the plan by its price. */
export function createPlanChangeService(deps: Deps): PlanChangeService {
  const { database, gateway, checkout, readings, members, clock, logger } = deps

  async function findSubscription(
    memberId: string,
  ): Promise<{ customerId: string; subscription: Subscription }> {
    const row = await findMember(database.db, memberId)
    if (row === null) throw new MemberNotFoundError()
    const customerId = row.stripeCustomerId
    const subscription =
      customerId === null ? null : chooseLiving(await gateway.listSubscriptions(customerId))
    if (customerId === null || subscription === null) throw new NoPlanFoundError()
    return { customerId, subscription }
  }

  async function prepare(app: MembershipApp, memberId: string, priceId: string): Promise<Prepared> {
    if (!gateway.isSetUp) throw new PaymentsNotSetUpError()
    const to = await checkout.findSold(app, priceId)
    const { customerId, subscription } = await findSubscription(memberId)
    const from = (await readPrices(database.db, app.id)).get(subscription.priceId)
    if (from === undefined) throw new NoPlanFoundError()
    if (!['active', 'trialing'].includes(subscription.status)) throw new PaymentDueError()
    const kind = kindOf(subscription, from, to)
    if (to.planId !== from.planId) await checkout.refuseWhenFull(app, to.planId)
    const { due, proratedAt } =
      kind === 'upgrade'
        ? await gateway.previewChange(subscription, to.id)
        : { due: { amount: 0, currency: to.currency }, proratedAt: clock.now() }
    const effectiveAt = kind === 'downgrade' ? subscription.periodEndsAt : proratedAt
    const terms: PlanChangeTerms = {
      from: pricedPlan(app, from, subscription.price.amount),
      to: pricedPlan(app, to, to.amount),
      effective: kind === 'downgrade' ? 'period-end' : 'now',
      effectiveAt: effectiveAt.toISOString(),
      amountDue: majorUnits(Math.max(0, due.amount), due.currency),
      currency: due.currency,
    }
    return { kind, customerId, subscription, to, proratedAt, terms }
  }

  /** The payment service has the change; what is stored here may follow a moment later. */
  async function followAtOnce(customerId: string): Promise<void> {
    try {
      await readings.read(customerId)
    } catch (error) {
      logger.warn({ err: error }, 'a changed plan could not be read back yet')
      await database.transaction((tx) => readings.want(tx, [customerId]))
    }
  }

  return {
    preview: async (app, memberId, priceId) => (await orTellMember(prepare(app, memberId, priceId))).terms,
    async change(app, memberId, priceId) {
      const prepared = await orTellMember(prepare(app, memberId, priceId))
      const { kind, customerId, subscription, to, proratedAt, terms } = prepared
      try {
        await orTellMember(
          kind === 'upgrade'
            ? gateway.changeNow(subscription, to.id, proratedAt)
            : gateway.changeAtPeriodEnd(subscription, to.id),
        )
      } catch (error) {
        if (error instanceof CustomerGoneError) throw new NoPlanFoundError()
        // It may have been done although nobody said so.
        await database.transaction((tx) => readings.want(tx, [customerId]))
        throw error
      }
      await followAtOnce(customerId)
      return { member: await members.get(app, memberId), change: terms }
    },
  }
}

/** An upgrade costs more: a longer period, or more for the same one. To stay takes a waiting change back. */
function kindOf(subscription: Subscription, from: PriceRow, to: PriceRow): Prepared['kind'] {
  if (from.priceId === to.priceId) {
    if (subscription.schedule?.nextPriceId == null) throw new AlreadyHavePlanError()
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
    interval: interval === null ? null : wireIntervals[interval],
  }
}

const wireIntervals = { monthly: 'MONTHLY', yearly: 'YEARLY' } as const
