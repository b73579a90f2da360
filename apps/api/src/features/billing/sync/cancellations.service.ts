import type { Subscription } from '#integrations/payments/payment-gateway.ts'
import type { BillingDeps } from '../billing.deps.ts'
import type { CustomerRow } from '../customers/customers.repository.ts'
import { refundedSince } from '../customers/refunded-since.ts'
import { readOwnSales } from '../prices/prices.repository.ts'
import type { RefundService } from '../refunds/refunds.service.ts'
import { isToSettle } from './ended-subscriptions.ts'
import { chooseRunning, isRunning } from './plan-connections.ts'
import { type LeasedCustomer, renewLease } from './sync-state.repository.ts'

type Deps = Pick<BillingDeps, 'database' | 'gateway' | 'clock' | 'logger'> & {
  refunds: RefundService
}

/** Cancels duplicate subscriptions and those of deleted accounts. */
export function createCancellations({ database, gateway, refunds, clock, logger }: Deps) {
  async function cancel(customer: CustomerRow, subscription: Subscription): Promise<void> {
    const { id: subscriptionId, latestInvoice } = subscription
    const { memberId } = customer
    const reason = memberId === null ? 'account-deleted' : 'paid-twice'
    const refundLatest = async () =>
      latestInvoice === null || isPaidBeforeDeletion(customer, latestInvoice)
        ? []
        : await refunds.refundInvoice(customer, latestInvoice.id, reason)
    // Refunds first, because a retry would skip a subscription that has ended.
    await refundLatest()
    await gateway.cancelSubscription(subscriptionId)
    // An open invoice could be paid until the cancellation.
    if (latestInvoice?.isPaid === false) await refundLatest()
    logger.warn({ subscriptionId, memberId, reason }, 'subscription canceled')
  }

  /** Leaves subscriptions with other items to the merchant. */
  function cancelableOf(customer: CustomerRow, listed: readonly Subscription[]): Subscription[] {
    const excess = excessOf(customer, listed)
    for (const { id: subscriptionId } of excess.filter(({ isShared }) => isShared))
      logger.error({ subscriptionId }, 'subscription with other items not canceled')
    return excess.filter(({ isShared }) => !isShared)
  }

  return {
    /** Closes the unpaid invoices of ended subscriptions and refunds later payments. Returns the settled ids. */
    async settleEnded(customer: CustomerRow, listed: readonly Subscription[]): Promise<string[]> {
      const settled = new Set(customer.settledSubscriptionIds)
      for (const { id, endedAt, isShared } of listed) {
        if (endedAt === null || !isToSettle({ id, endedAt, isShared }, customer, clock.now())) continue
        const { paidAfterEnd, isSettled } = await gateway.settleEnded({ id, endedAt })
        for (const invoiceId of paidAfterEnd)
          await refunds.refundInvoice(customer, invoiceId, 'paid-after-end')
        if (isSettled) settled.add(id)
        else {
          settled.delete(id)
          logger.warn({ subscriptionId: id }, 'ended subscription not settled')
        }
      }
      return [...settled]
    },
    /** Cancels and refunds duplicates and those of deleted accounts; null if the lease is lost. Idempotent. */
    async cancelExcess(customer: LeasedCustomer, listed: Subscription[]): Promise<Subscription[] | null> {
      if (cancelableOf(customer, listed).length === 0) return listed
      // Reads again: a subscription may have been paid or ended meanwhile.
      const own = await readOwnSales(database.db, [customer.appId])
      const current = await gateway.listSubscriptions(customer.id, own)
      const excess = cancelableOf(customer, current)
      for (const one of excess) {
        if (!(await renewLease(database.db, customer, clock.now()))) return null
        await cancel(customer, one)
      }
      const canceled = new Set(excess)
      return current.map((subscription) =>
        canceled.has(subscription)
          ? { ...subscription, status: 'canceled', endedAt: clock.now() }
          : subscription,
      )
    },
  }
}

/** Returns whether an invoice was paid before its member asked to delete the account, which refunds nothing. */
function isPaidBeforeDeletion(
  { memberId, deletionRequestedAt }: CustomerRow,
  { paidAt }: NonNullable<Subscription['latestInvoice']>,
): boolean {
  if (memberId !== null || deletionRequestedAt === null || paidAt === null) return false
  return paidAt < refundedSince(deletionRequestedAt)
}

/** Returns a deleted account's running subscriptions, or all but one of a member's. */
function excessOf({ memberId }: CustomerRow, listed: readonly Subscription[]): Subscription[] {
  const kept = memberId === null ? null : chooseRunning(listed)
  return listed.filter((subscription) => isRunning(subscription) && subscription !== kept)
}
