import type { Subscription } from '#integrations/payments/payment-gateway.ts'
import type { BillingDeps } from '../billing.deps.ts'
import { type CustomerRow, type LeasedCustomer, renewLease } from '../customers/customers.repository.ts'
import { readOwnSales } from '../prices/prices.repository.ts'
import type { RefundService } from '../refunds/refunds.service.ts'
import { chooseRunning, duplicatesOf, isToSettle } from './plan-connections.ts'

type Deps = Pick<BillingDeps, 'database' | 'gateway' | 'clock' | 'logger'> & {
  refunds: RefundService
}

const minuteMs = 60_000

type Excess = { subscription: Subscription; reason: 'paid-twice' | 'account-deleted' }

/** Cancels duplicate subscriptions and those of deleted accounts. */
export function createCancellations({ database, gateway, refunds, clock, logger }: Deps) {
  async function cancel(customer: CustomerRow, { subscription, reason }: Excess): Promise<void> {
    const { id: subscriptionId, latestInvoice } = subscription
    const { memberId } = customer
    const refundLatest = async () =>
      latestInvoice === null ||
      (reason === 'account-deleted' && isPaidBeforeDeletion(customer, latestInvoice))
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
  function cancelableOf(customer: CustomerRow, listed: readonly Subscription[]): Excess[] {
    const excess = excessOf(customer, listed)
    for (const { subscription } of excess.filter((one) => one.subscription.isShared))
      logger.error({ subscriptionId: subscription.id }, 'subscription with other items not canceled')
    return excess.filter(({ subscription }) => !subscription.isShared)
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
      const canceled = new Set(excess.map(({ subscription }) => subscription))
      return current.map((subscription) =>
        canceled.has(subscription)
          ? { ...subscription, status: 'canceled', endedAt: clock.now() }
          : subscription,
      )
    },
  }
}

/** Returns since when payments are refunded for a deletion: a minute before, as Stripe's clock may be behind ours. */
export function refundedSince(requestedAt: Date): Date {
  return new Date(requestedAt.getTime() - minuteMs)
}

/** Returns whether an invoice was paid before its member asked to delete the account, which refunds nothing. */
function isPaidBeforeDeletion(
  { deletionRequestedAt }: CustomerRow,
  { paidAt }: NonNullable<Subscription['latestInvoice']>,
): boolean {
  if (deletionRequestedAt === null || paidAt === null) return false
  return paidAt < refundedSince(deletionRequestedAt)
}

/**
 * Returns the subscriptions that a member pays besides one, and then that one if the account was deleted: it could not be
 * told from the others once it has ended.
 */
function excessOf({ memberId }: CustomerRow, listed: readonly Subscription[]): Excess[] {
  const duplicates = duplicatesOf(listed).map((subscription) => ({
    subscription,
    reason: 'paid-twice' as const,
  }))
  const kept = memberId === null ? chooseRunning(listed) : null
  return kept === null ? duplicates : [...duplicates, { subscription: kept, reason: 'account-deleted' }]
}
