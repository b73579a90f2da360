import type { PaymentEvent } from '#integrations/payments/payment-gateway.ts'
import type { BillingDeps } from '../billing.deps.ts'
import { findCustomer } from '../customers/customers.repository.ts'

type Deps = Pick<BillingDeps, 'database' | 'metrics' | 'logger'>
type FailedEvent = Pick<PaymentEvent, 'customerId' | 'subjectId'>

/** Of an invoice that Stripe can't complete, such as one whose tax needs an address. It stays a draft and isn't charged. */
export const finalizationFailed = 'invoice.finalization_failed'

/** Returns a function that tells the operator about a member's invoice that can't be finalized. */
export function createFinalizationFailures({ database, metrics, logger }: Deps) {
  const failures = metrics.counter({
    name: 'tidings_payment_finalization_failures_total',
    help: "Members' invoices that Stripe could not finalize, so that they are not charged",
  })

  return async function report({ customerId, subjectId: invoiceId }: FailedEvent): Promise<void> {
    const customer = customerId === null ? null : await findCustomer(database.db, customerId)
    if (customer === null) return
    failures.inc()
    logger.error({ customerId, invoiceId }, 'invoice finalization failed')
  }
}
