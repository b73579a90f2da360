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
import type { NoticeService } from '../../notices/index.ts'
import type { CustomerRow } from '../customers.repository.ts'
import { planNameOf } from '../prices/plan-name.ts'
import { readPrices } from '../prices/prices.repository.ts'
import { chooseLiving, isDisputed, isLiving } from './connections.ts'
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
   * left, whose money comes back, and whatever a lost dispute was about, where the money comes back that was paid for the
   * time in which the plan was closed. Answers what is subscribed to then; null when
   * another reading decides, or is at it, and this one is to be made again. May run twice: nothing is done twice.
   */
  endExcess(
    customer: ReadCustomer,
    app: MembershipApp | undefined,
    listed: Subscription[],
  ): Promise<Subscription[] | null>
}

/** Longer than all the calls of one ending can take. */
const claimMs = 5 * 60_000

type Excess = { subscription: Subscription; why: 'paid twice' | 'has left' | 'dispute lost' }

/** The end of what nobody should pay. */
export function createEndingService(deps: Deps): EndingService {
  const { database, gateway, notices, clock, logger } = deps

  async function end(
    customer: CustomerRow,
    app: MembershipApp | undefined,
    { subscription, why }: Excess,
  ): Promise<void> {
    // Before it ends: after that nobody would look for it.
    const isBack = await giveBack(customer, app, { subscription, why })
    await gateway.cancelSubscription(subscription.id)
    // Until it ended, what was owed for it could still be paid.
    if ((why === 'dispute lost' || !isBack) && subscription.latestInvoice?.isPaid === false) {
      await giveBack(customer, app, { subscription, why })
    }
    const { id: subscriptionId } = subscription
    logger.warn({ subscriptionId, memberId: customer.memberId, why }, 'a subscription was ended')
  }

  /** Answers whether there was anything to give back, and it is on its way. */
  async function giveBack(
    customer: CustomerRow,
    app: MembershipApp | undefined,
    excess: Excess,
  ): Promise<boolean> {
    try {
      const money = await refund(excess)
      if (money === null) return false
      await tell(customer, app, excess, money)
      return true
    } catch (error) {
      if (!(error instanceof PaymentsRefusedError)) throw error
      const { id: subscriptionId, latestInvoice } = excess.subscription
      const about = { err: error, subscriptionId, invoiceId: latestInvoice?.id }
      logger.error(about, 'the payment service refuses to give a payment back: give it back by hand')
      return false
    }
  }

  /** What comes back; of a lost dispute, what the bank has taken is not given back once more. */
  async function refund({ subscription, why }: Excess): Promise<Money | null> {
    if (why === 'dispute lost') return await gateway.refundSinceDisputed(subscription)
    return (await gateway.refundLatestInvoice(subscription)) ? subscription.latestInvoice : null
  }

  async function tell(
    { memberId }: CustomerRow,
    app: MembershipApp | undefined,
    { subscription: { id, priceId }, why }: Excess,
    { amount, currency }: Money,
  ): Promise<void> {
    if (memberId === null || app === undefined || amount === 0) return
    const [kind, cause] =
      why === 'dispute lost'
        ? (['disputed-time-refunded', `disputed time ${amount}`] as const)
        : (['double-payment-refunded', 'double payment'] as const)
    await database.transaction(async (tx) => {
      const row = await findMember(tx, memberId)
      if (row === null) return
      const price = (await readPrices(tx, app.id)).get(priceId)
      const planName = planNameOf(app, price?.planId ?? '')
      const notice = { kind, planName, amount, currency }
      await notices.write(tx, app, row.email, notice, { cause: `${cause} ${id}` })
    })
  }

  return {
    async endExcess(customer, app, listed) {
      if (excessOf(customer, listed).length === 0) return listed
      const { id, reading } = customer
      const now = clock.now()
      const until = new Date(now.getTime() + claimMs)
      if (!(await claimEnding(database.db, { id, reading }, { now, until }))) return null
      try {
        // What was seen before nobody else could end anything may have been paid since, or have ended.
        const current = await gateway.listSubscriptions(id)
        const excess = excessOf(customer, current)
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
function excessOf(
  { memberId, disputeLostAt }: Pick<CustomerRow, 'memberId' | 'disputeLostAt'>,
  listed: readonly Subscription[],
): Excess[] {
  const isLost = (subscription: Subscription) => isDisputed(subscription, disputeLostAt)
  const kept = memberId === null ? null : chooseLiving(listed.filter((one) => !isLost(one)))
  return listed
    .filter((subscription) => isLiving(subscription) && subscription !== kept)
    .map((subscription) => {
      if (isLost(subscription)) return { subscription, why: 'dispute lost' }
      return { subscription, why: memberId === null ? 'has left' : 'paid twice' }
    })
}

function endedAt(subscription: Subscription, now: Date): Subscription {
  return { ...subscription, status: 'canceled', endedAt: now }
}
