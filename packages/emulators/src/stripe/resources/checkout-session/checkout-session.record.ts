import type { Common, Metadata } from '../../store/common.ts'

export type CheckoutSessionRecord = Common & {
  status: 'open' | 'complete' | 'expired'
  paymentStatus: 'paid' | 'unpaid' | 'no_payment_required'
  customerId: string
  clientReferenceId: string | null
  lineItem: { id: string; priceId: string; quantity: number }
  discount: { couponId: string | null; promotionCodeId: string | null } | null
  allowPromotionCodes: boolean
  successUrl: string
  cancelUrl: string | null
  expiresAt: number
  subscriptionId: string | null
  invoiceId: string | null
  currency: string
  automaticTax: boolean
  /** The metadata of the subscription that it starts. */
  subscriptionMetadata: Metadata
  /** Parameters that have no effect and that responses repeat, by the wire's names. */
  echoes: Record<string, unknown>
  url: string
}
