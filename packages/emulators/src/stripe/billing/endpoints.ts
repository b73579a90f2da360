import type { Endpoint } from '../http/endpoint.ts'
import { clockEndpoints } from './clock-endpoints.ts'
import { customerDeletion } from './delete-customer.ts'
import { invoiceEndpoints } from './invoice-calls/invoice-endpoints.ts'
import { invoicePaymentEndpoints } from './invoice-calls/invoice-payment-endpoints.ts'
import { chargeEndpoints } from './payments/charge-endpoints.ts'
import { disputeEndpoints } from './refunds/dispute-endpoints.ts'
import { refundEndpoints } from './refunds/refund-endpoints.ts'
import { scheduleEndpoints } from './schedules/schedule-endpoints.ts'
import { subscriptionEndpoints } from './subscriptions/subscription-endpoints.ts'

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
