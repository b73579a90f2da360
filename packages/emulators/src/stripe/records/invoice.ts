import type { DiscountRecord } from './catalogue.ts'
import type { Common, Metadata } from './common.ts'

export type InvoiceLineRecord = {
  id: string
  /** Before discounts; negative for what is given back. */
  amount: number
  discountAmounts: { amount: number; discountId: string }[]
  description: string
  period: { start: number; end: number }
  priceId: string | null
  productId: string | null
  quantity: number
  isProration: boolean
  subscriptionId: string | null
  subscriptionItemId: string | null
  invoiceItemId: string | null
  metadata: Metadata
}

export type InvoiceStatus = 'draft' | 'open' | 'paid' | 'uncollectible' | 'void'

export type InvoiceRecord = Common & {
  customerId: string
  subscriptionId: string | null
  status: InvoiceStatus
  billingReason:
    | 'manual'
    | 'subscription_create'
    | 'subscription_cycle'
    | 'subscription_update'
    | 'subscription_threshold'
    | 'upcoming'
  currency: string
  number: string | null
  lines: InvoiceLineRecord[]
  discounts: DiscountRecord[]
  subtotal: number
  total: number
  startingBalance: number
  endingBalance: number | null
  amountDue: number
  amountPaid: number
  amountRemaining: number
  attemptCount: number
  attempted: boolean
  autoAdvance: boolean
  nextPaymentAttempt: number | null
  periodStart: number
  periodEnd: number
  finalizedAt: number | null
  paidAt: number | null
  voidedAt: number | null
  markedUncollectibleAt: number | null
  paymentIntentId: string | null
  description: string | null
  testClockId: string | null
}

/** A line that waits for the next invoice of its customer. */
export type InvoiceItemRecord = Common & {
  customerId: string
  subscriptionId: string | null
  currency: string
  line: InvoiceLineRecord
  /** The invoice that took it up. */
  invoiceId: string | null
  deleted: boolean
}
