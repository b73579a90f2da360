import type { RefundedPayment } from '#features/mail/index.ts'
import type { Db } from '#platform/database.ts'
import type { BillingDeps } from '../billing.deps.ts'
import { findCustomer, markDeletionRequested, storeSettled } from '../customers/customers.repository.ts'
import { readOwnSales } from '../prices/prices.repository.ts'
import { listRefundsSince } from '../refunds/refunds.repository.ts'
import type { RefundService } from '../refunds/refunds.service.ts'
import { refundedSince } from './cancellations.service.ts'
import { duplicatesOf } from './plan-connections.ts'

/** `keep`: the customer stays at Stripe without name, addresses, phone, cards and metadata. */
export type CustomerOnDeletion = 'delete' | 'keep'

/** The result for a customer: `kept` until nothing is owed and nothing else is sold to it. */
export type CustomerOutcome = 'deleted' | 'redacted' | 'kept'

/** The payment customer of an account that its member deleted. */
export type DeletedCustomer = { customerId: string; appId: string; memberId: string; requestedAt: Date }

type Deps = Pick<BillingDeps, 'database' | 'gateway' | 'clock' | 'logger'> & {
  refunds: RefundService
  customerOnDeletion: CustomerOnDeletion
}

const minuteMs = 60_000
/** Longer than a member's request to open a checkout takes. */
const openingMs = 5 * minuteMs

export type CustomerDeletion = ReturnType<typeof createCustomerDeletion>

/** Settles the payments of deleted accounts, then removes their customers. Every step is idempotent. */
export function createCustomerDeletion(deps: Deps) {
  const { database, gateway, refunds, clock, logger, customerOnDeletion } = deps

  /** Voids what is unpaid of the ended subscriptions; returns whether nothing can be charged anymore. */
  async function settleEnded({ customerId, appId, memberId }: DeletedCustomer): Promise<boolean> {
    const settled: string[] = []
    let isSettled = true
    const own = await readOwnSales(database.db, [appId])
    for (const { id, endedAt, isShared } of await gateway.listSubscriptions(customerId, own)) {
      if (isShared) continue
      if (endedAt === null) {
        // A checkout was paid since the cancellation.
        isSettled = false
        continue
      }
      const ended = await gateway.settleEnded({ id, endedAt })
      for (const invoiceId of ended.paidAfterEnd)
        await refunds.refundInvoice({ id: customerId, appId, memberId }, invoiceId, 'paid-after-end')
      if (ended.isSettled) settled.push(id)
      else isSettled = false
    }
    // Without the customer, a sync would find no subscriptions to settle.
    if (isSettled && settled.length > 0) await storeSettled(database.db, customerId, settled)
    return isSettled
  }

  return {
    mode: customerOnDeletion,
    /** Stores in the transaction that deletes the account that later payments are refunded. */
    async request(tx: Db, customerId: string): Promise<void> {
      await markDeletionRequested(tx, customerId, clock.now())
    },
    /**
     * Refunds second payments, expires checkouts, cancels subscriptions, voids invoices, and refunds payments since the
     * request. Returns false while a payment is processing, and rejects when Stripe is unavailable: call it again then.
     */
    async settle(deleted: DeletedCustomer): Promise<boolean> {
      const { customerId, appId, memberId, requestedAt } = deleted
      const own = await readOwnSales(database.db, [appId])
      // Before they end: a second payment for the plan is refunded whenever it was made.
      for (const { latestInvoice, isShared } of duplicatesOf(
        await gateway.listSubscriptions(customerId, own),
      )) {
        if (latestInvoice !== null && !isShared)
          await refunds.refundInvoice({ id: customerId, appId, memberId }, latestInvoice.id, 'paid-twice')
      }
      const { paid, shared } = await gateway.cancelAll(customerId, own, refundedSince(requestedAt))
      for (const subscriptionId of shared)
        logger.error({ subscriptionId }, 'subscription with other items not canceled')
      for (const invoiceId of paid)
        await refunds.refundInvoice({ id: customerId, appId, memberId }, invoiceId, 'account-deleted')
      return await settleEnded(deleted)
    },
    /** Returns the refunds since the request, also those that are left to the merchant. */
    async listRefunds({ customerId, requestedAt }: DeletedCustomer): Promise<RefundedPayment[]> {
      return await listRefundsSince(database.db, customerId, requestedAt)
    },
    /** Deletes or redacts the customer at Stripe, unless something is owed or its other sales continue. */
    async remove({ customerId, requestedAt }: DeletedCustomer): Promise<CustomerOutcome> {
      const made = await listRefundsSince(database.db, customerId, null)
      if (made.some(({ status }) => status !== 'refunded')) return 'kept'
      const now = clock.now().getTime()
      const customer = await findCustomer(database.db, customerId)
      // A request that was under way may still open a checkout, which would be paid to a deleted customer.
      const mayOpenCheckout = (customer?.checkoutOpenUntil?.getTime() ?? 0) > now
      if (mayOpenCheckout && now < requestedAt.getTime() + openingMs) return 'kept'
      const outcome = await gateway.retireCustomer(customerId, customerOnDeletion)
      if (outcome === 'kept') logger.info({ customerId }, 'payment customer in use')
      return outcome
    },
  }
}
