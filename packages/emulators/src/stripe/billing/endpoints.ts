import type { Endpoint } from '../endpoint.ts'
import { invoiceEndpoints } from './invoice-endpoints.ts'
import { invoiceItemEndpoints } from './invoice-item-endpoints.ts'
import { invoicePaymentEndpoints } from './invoice-payment-endpoints.ts'
import { paymentEndpoints } from './payment-endpoints.ts'
import { scheduleEndpoints } from './schedule-endpoints.ts'
import { subscriptionEndpoints } from './subscription-endpoints.ts'
import { subscriptionItemEndpoints } from './subscription-item-endpoints.ts'

/** Every call about subscriptions, invoices and payments. */
export const billingEndpoints: Endpoint[] = [
  ...subscriptionEndpoints,
  ...subscriptionItemEndpoints,
  ...scheduleEndpoints,
  ...invoiceEndpoints,
  ...invoiceItemEndpoints,
  ...invoicePaymentEndpoints,
  ...paymentEndpoints,
]
