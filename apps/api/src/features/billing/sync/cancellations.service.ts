import type { PaymentGateway, Subscription } from '#integrations/payments/payment-gateway.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/database.ts'
import type { Logger } from '#platform/logger.ts'
import type { CustomerRow } from '../customers/customers.repository.ts'
import { readOwnSales } from '../prices/prices.repository.ts'
import type { RefundService } from '../refunds/refunds.service.ts'
import { chooseRunning, isRunning } from './plan-connections.ts'
import { claimCancellation, releaseCancellation } from './sync-state.repository.ts'

type Deps = {
  database: Database
  gateway: PaymentGateway
  refunds: RefundService
  clock: Clock
  logger: Logger
}

/** A customer, and the number of the reading that looks at them. */
export type SyncedCustomer = CustomerRow & { reading: number }

/** Longer than all the calls of one ending can take. */
const claimMs = 15 * 60_000

/** The end of what nobody should pay. */
export function createCancellations(deps: Deps) {
  const { database, gateway, refunds, clock, logger } = deps

  async function end(customer: CustomerRow, subscription: Subscription): Promise<void> {
    const { id: subscriptionId, latestInvoice } = subscription
    const { memberId } = customer
    const reason = memberId === null ? 'account-deleted' : 'paid-twice'
    const refundLatest = async () =>
      latestInvoice === null ? [] : await refunds.refundInvoice(customer, latestInvoice.id, reason)
    // Before it ends: after that nobody would look for it.
    await refundLatest()
    await gateway.cancelSubscription(subscriptionId)
    // Until it ended, it could still be paid for.
    if (latestInvoice?.isPaid === false) await refundLatest()
    logger.warn({ subscriptionId, memberId, reason }, 'subscription canceled')
  }

  /** Leaves to the merchant what can't be canceled without something else that they sell. */
  function cancelableOf(customer: CustomerRow, listed: readonly Subscription[]): Subscription[] {
    const excess = excessOf(customer, listed)
    for (const { id: subscriptionId } of excess.filter(({ isShared }) => isShared))
      logger.error({ subscriptionId }, 'subscription with other items not canceled')
    return excess.filter(({ isShared }) => !isShared)
  }

  return {
    /**
     * Voids what is owed for ended subscriptions, and refunds what was paid after the end. Returns those with which that
     * is done for good.
     */
    async settleEnded(customer: CustomerRow, listed: readonly Subscription[]): Promise<string[]> {
      const settled = [...customer.settled]
      for (const { id, endedAt, isShared } of listed) {
        if (endedAt === null || isShared || settled.includes(id)) continue
        const { paidAfterEnd, isSettled } = await gateway.settleEnded({ id, endedAt })
        for (const invoiceId of paidAfterEnd)
          await refunds.refundInvoice(customer, invoiceId, 'paid-after-end')
        if (isSettled) settled.push(id)
      }
      return settled
    },
    /**
     * Cancels and refunds what is paid twice or for a deleted account. Returns what is subscribed to then; null when
     * another reading decides, or is at it, and this one is to be made again. May run twice: nothing is done twice.
     */
    async cancelExcess(customer: SyncedCustomer, listed: Subscription[]): Promise<Subscription[] | null> {
      if (cancelableOf(customer, listed).length === 0) return listed
      const { id, reading } = customer
      const now = clock.now()
      const until = new Date(now.getTime() + claimMs)
      if (!(await claimCancellation(database.db, { id, reading }, { now, until }))) return null
      try {
        // What was seen before nobody else could end anything may have been paid since, or have ended.
        const own = await readOwnSales(database.db, [customer.appId])
        const current = await gateway.listSubscriptions(id, own)
        const excess = cancelableOf(customer, current)
        for (const one of excess) await end(customer, one)
        const ended = new Set(excess)
        return current.map((subscription) =>
          ended.has(subscription) ? endedAt(subscription, clock.now()) : subscription,
        )
      } finally {
        await releaseCancellation(database.db, id, until)
      }
    },
  }
}

/** What a customer subscribes to and should not. */
function excessOf({ memberId }: CustomerRow, listed: readonly Subscription[]): Subscription[] {
  const kept = memberId === null ? null : chooseRunning(listed)
  return listed.filter((subscription) => isRunning(subscription) && subscription !== kept)
}

function endedAt(subscription: Subscription, now: Date): Subscription {
  return { ...subscription, status: 'canceled', endedAt: now }
}
