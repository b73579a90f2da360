import type { Common, Metadata } from '../../store/common.ts'
import type { DiscountRecord } from '../product/catalogue.record.ts'

export type InvoiceLineRecord = {
  id: string
  /** Before discounts; negative for what is given back. */
  amount: number
  discountAmounts: { amount: number; discountId: string }[]
  description: string
  period: { start: number; end: number }
  priceId: string
  productId: string
  quantity: number
  isProration: boolean
  subscriptionId: string
  subscriptionItemId: string
  metadata: Metadata
}

export type InvoiceStatus = 'draft' | 'open' | 'paid' | 'uncollectible' | 'void'

export type InvoiceRecord = Common & {
  customerId: string
  subscriptionId: string
  status: InvoiceStatus
  billingReason: 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'upcoming'
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
  testClockId: string | null
}
