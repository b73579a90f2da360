import { chargeEndpoints } from './charge/charge.endpoints.ts'
import { customerDeletion } from './customer/delete-customer.ts'
import { disputeEndpoints } from './dispute/dispute.ts'
import type { Endpoint } from './endpoint.ts'
import { invoiceEndpoints } from './invoice/invoice.endpoints.ts'
import { invoicePaymentEndpoints } from './invoice/invoice-payment.endpoints.ts'
import { refundEndpoints } from './refund/refund.endpoints.ts'
import { subscriptionEndpoints } from './subscription/subscription.endpoints.ts'
import { scheduleEndpoints } from './subscription-schedule/subscription-schedule.endpoints.ts'
import { clockEndpoints } from './test-clock/test-clock.ts'

/** Every call about subscriptions, invoices and payments, and those that move their time or end them all. */
export const billingEndpoints: Endpoint[] = [
  ...subscriptionEndpoints,
  ...scheduleEndpoints,
  ...invoiceEndpoints,
  ...invoicePaymentEndpoints,
  ...chargeEndpoints,
  ...refundEndpoints,
  ...disputeEndpoints,
  ...clockEndpoints,
  customerDeletion,
]
