import {
  type Money,
  type PaymentGateway,
  PaymentsRefusedError,
  type Subscription,
} from '../../../integrations/payments/payment-gateway.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database.ts'
import type { Logger } from '../../../platform/logger.ts'
import type { MembershipApp } from '../../../platform/membership-apps/membership-apps.ts'
import { findMember } from '../../members/index.ts'
import type { Notice, NoticeService } from '../../notices/index.ts'
import type { CustomerRow } from '../customers.repository.ts'
import { planNameOf } from '../prices/plan-name.ts'
import { findPriceOf, readOwnSales, readPrices } from '../prices/prices.repository.ts'
import { chooseLiving, isLiving } from './connections.ts'
import { claimEnding, releaseEnding } from './readings.repository.ts'

type Deps = {
  database: Database
  gateway: PaymentGateway
  notices: NoticeService
  clock: Clock
  logger: Logger
}

/** A customer, and the number of the reading that looks at them. */
export type ReadCustomer = CustomerRow & { reading: number }

export type EndingService = {
  /**
   * Ends what may not go on of what a customer was found to subscribe to: whatever is paid twice or by somebody who has
   * left, whose money comes back. Answers what is subscribed to then; null when another reading decides, or is at it, and
   * this one is to be made again. May run twice: nothing is done twice.
   */
  endExcess(
    customer: ReadCustomer,
    app: MembershipApp | undefined,
    listed: Subscription[],
  ): Promise<Subscription[] | null>
}

/** Longer than all the calls of one ending can take. */
const claimMs = 15 * 60_000
const refusedToGiveBack = 'the payment service refuses to give a payment back: give it back by hand'

type Excess = { subscription: Subscription; why: 'paid twice' | 'has left' }

/** The end of what nobody should pay. */
export function createEndingService(deps: Deps): EndingService {
  const { database, gateway, notices, clock, logger } = deps

  async function end(
    customer: CustomerRow,
    app: MembershipApp | undefined,
    { subscription, why }: Excess,
  ): Promise<void> {
    const { id: subscriptionId, latestInvoice } = subscription
    // Before it ends: after that nobody would look for it.
    const isBack = await giveBackLatest(customer, app, subscription)
    await gateway.cancelSubscription(subscriptionId)
    // Until it ended, it could still be paid for.
    if (!isBack && latestInvoice?.isPaid === false) await giveBackLatest(customer, app, subscription)
    logger.warn({ subscriptionId, memberId: customer.memberId, why }, 'a subscription was ended')
  }

  /** Answers whether there was anything to give back, and it is on its way. */
  async function giveBackLatest(
    customer: CustomerRow,
    app: MembershipApp | undefined,
    subscription: Subscription,
  ): Promise<boolean> {
    const { id, latestInvoice } = subscription
    try {
      if (!(await gateway.refundLatestInvoice(subscription))) return false
    } catch (error) {
      if (!(error instanceof PaymentsRefusedError)) throw error
      logger.error({ err: error, subscriptionId: id, invoiceId: latestInvoice?.id }, refusedToGiveBack)
      return false
    }
    if (latestInvoice === null || app === undefined) return true
    const price = findPriceOf(subscription, await readPrices(database.db, app.id))
    const planName = planNameOf(app, price?.planId ?? '')
    const { amount, currency } = latestInvoice
    const notice = { kind: 'double-payment-refunded', planName, amount, currency } as const
    await tell(customer, app, notice, `double payment ${id}`)
    return true
  }

  async function tell(
    { memberId }: CustomerRow,
    app: MembershipApp | undefined,
    notice: Notice & Money,
    cause: string,
  ): Promise<void> {
    if (memberId === null || app === undefined || notice.amount === 0) return
    await database.transaction(async (tx) => {
      const row = await findMember(tx, memberId)
      if (row !== null) await notices.write(tx, app, row.email, notice, { cause })
    })
  }

  /** Leaves to the merchant what can't be canceled without something else that they sell. */
  function cancelableOf(customer: CustomerRow, listed: readonly Subscription[]): Excess[] {
    const excess = excessOf(customer, listed)
    for (const { subscription, why } of excess.filter((one) => one.subscription.isShared))
      logger.error({ subscriptionId: subscription.id, why }, 'subscription with other items not canceled')
    return excess.filter(({ subscription }) => !subscription.isShared)
  }

  return {
    async endExcess(customer, app, listed) {
      if (cancelableOf(customer, listed).length === 0) return listed
      const { id, reading } = customer
      const now = clock.now()
      const until = new Date(now.getTime() + claimMs)
      if (!(await claimEnding(database.db, { id, reading }, { now, until }))) return null
      try {
        // What was seen before nobody else could end anything may have been paid since, or have ended.
        const own = await readOwnSales(database.db, [customer.appId])
        const current = await gateway.listSubscriptions(id, own)
        const excess = cancelableOf(customer, current)
        for (const one of excess) await end(customer, app, one)
        const ended = new Set(excess.map(({ subscription }) => subscription))
        return current.map((subscription) =>
          ended.has(subscription) ? endedAt(subscription, clock.now()) : subscription,
        )
      } finally {
        await releaseEnding(database.db, id, until)
      }
    },
  }
}

/** What a customer subscribes to and should not. */
function excessOf({ memberId }: Pick<CustomerRow, 'memberId'>, listed: readonly Subscription[]): Excess[] {
  const kept = memberId === null ? null : chooseLiving(listed)
  return listed
    .filter((subscription) => isLiving(subscription) && subscription !== kept)
    .map((subscription) => ({ subscription, why: memberId === null ? 'has left' : 'paid twice' }))
}

function endedAt(subscription: Subscription, now: Date): Subscription {
  return { ...subscription, status: 'canceled', endedAt: now }
}
