import type { RefundedPayment } from '#features/mail/index.ts'
import type { MemberRow } from '#features/members/index.ts'
import type { PaymentGateway } from '#integrations/payments/payment-gateway.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/database.ts'
import type { Logger } from '#platform/logger.ts'
import { markDeletionRequested } from '../customers/customers.repository.ts'
import { asPaymentErrors } from '../payment-errors.ts'
import { readOwnSales } from '../prices/prices.repository.ts'
import type { RefundService } from '../refunds/refunds.service.ts'

/**
 * Ends what a member pays, before the account is deleted. Rejects when it cannot be, and then nothing is deleted. Returns
 * since when what ended has ended because of it, which further tries within a day do not change, and what became of the
 * payments since then; null for who never paid.
 */
export type CancelOnDeletion = (
  member: Pick<MemberRow, 'id' | 'appId' | 'stripeCustomerId'>,
) => Promise<{ since: Date; refunds: RefundedPayment[] } | null>

type Deps = {
  database: Database
  gateway: PaymentGateway
  refunds: RefundService
  clock: Clock
  logger: Logger
}

const minuteMs = 60_000
const dayMs = 24 * 3_600_000
const notDeletedYet =
  'Your account was not deleted yet: what you pay has to end first, and our payment service does not answer at the moment. ' +
  'Please try again in a minute.'

/** Whatever is paid from the moment on in which a member asks to leave comes back, however many tries that takes. */
export function createCancelOnDeletion({
  database,
  gateway,
  refunds,
  clock,
  logger,
}: Deps): CancelOnDeletion {
  async function leavingSince(customerId: string): Promise<Date> {
    const now = clock.now()
    const forgottenBefore = new Date(now.getTime() - dayMs)
    return await markDeletionRequested(database.db, customerId, { now, forgottenBefore })
  }

  return async ({ id: memberId, appId, stripeCustomerId: customerId }) => {
    if (customerId === null) return null
    const leaving = await leavingSince(customerId)
    // The payment service's clock may be a little behind.
    const since = new Date(leaving.getTime() - minuteMs)
    const made: RefundedPayment[] = []
    const own = await readOwnSales(database.db, [appId])
    async function end(id: string): Promise<void> {
      const { paid, shared } = await gateway.cancelAll(id, own, since)
      for (const subscriptionId of shared)
        logger.error({ subscriptionId }, 'subscription with other items not canceled')
      for (const invoiceId of paid)
        made.push(...(await refunds.refundInvoice({ id, appId, memberId }, invoiceId, 'account-deleted')))
    }
    await asPaymentErrors(logger, end(customerId), { away: notDeletedYet })
    return { since, refunds: made }
  }
}
