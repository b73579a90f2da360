import type { RefundedPayment } from '#features/mail/index.ts'
import type { MemberRow } from '#features/members/index.ts'
import type { BillingDeps } from '../billing.deps.ts'
import { asPaymentErrors } from '../payment-errors.ts'
import { readOwnSales } from '../prices/prices.repository.ts'
import type { RefundService } from '../refunds/refunds.service.ts'
import { markDeletionRequested } from './customers.repository.ts'

type Deps = Pick<BillingDeps, 'database' | 'gateway' | 'clock' | 'logger'> & {
  refunds: RefundService
}

type PayingMember = Pick<MemberRow, 'id' | 'appId' | 'stripeCustomerId'>

const minuteMs = 60_000
const dayMs = 24 * 3_600_000
const unavailableMessage =
  "Your account wasn't deleted: we have to cancel your plan first, and our payment service isn't responding. " +
  'Please try again in a minute.'

export function createCancelOnDeletion({ database, gateway, refunds, clock, logger }: Deps) {
  async function requestedSince(customerId: string): Promise<Date> {
    const now = clock.now()
    const expiredBefore = new Date(now.getTime() - dayMs)
    return await markDeletionRequested(database.db, customerId, { now, expiredBefore })
  }

  /**
   * Cancels a member's subscriptions before the account is deleted, and refunds payments since the first attempt of the
   * day. Rejects if that fails: the account must stay then. Returns null for a member who never paid.
   */
  return async ({ id: memberId, appId, stripeCustomerId: customerId }: PayingMember) => {
    if (customerId === null) return null
    const requestedAt = await requestedSince(customerId)
    // Stripe's clock may be behind ours.
    const since = new Date(requestedAt.getTime() - minuteMs)
    const refunded: RefundedPayment[] = []
    const own = await readOwnSales(database.db, [appId])
    async function cancel(id: string): Promise<void> {
      const { paid, shared } = await gateway.cancelAll(id, own, since)
      for (const subscriptionId of shared)
        logger.error({ subscriptionId }, 'subscription with other items not canceled')
      for (const invoiceId of paid)
        refunded.push(...(await refunds.refundInvoice({ id, appId, memberId }, invoiceId, 'account-deleted')))
    }
    await asPaymentErrors(logger, cancel(customerId), { unavailableMessage })
    return { since, refunds: refunded }
  }
}
