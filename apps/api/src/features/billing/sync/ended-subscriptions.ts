import type { Subscription } from '#integrations/payments/payment-gateway.ts'
import type { CustomerRow } from '../customers/customers.repository.ts'

/** How long the invoices of an ended subscription are looked at again, in case one is still charged. */
const watchedMs = 30 * 24 * 3_600_000

/**
 * Returns whether the invoices of a subscription must be looked at: it has ended, and isn't settled or ended within the
 * last 30 days.
 */
export function isToSettle(
  { id, endedAt, isShared }: Pick<Subscription, 'id' | 'endedAt' | 'isShared'>,
  { settledSubscriptionIds }: Pick<CustomerRow, 'settledSubscriptionIds'>,
  now: Date,
): boolean {
  if (endedAt === null || isShared) return false
  return !settledSubscriptionIds.includes(id) || now.getTime() - endedAt.getTime() <= watchedMs
}
