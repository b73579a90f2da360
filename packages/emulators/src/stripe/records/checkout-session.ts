import type { Common, Metadata } from './common.ts'
import type { SubscriptionRecord } from './subscription.ts'

export type CheckoutSessionRecord = Common & {
  mode: 'subscription' | 'payment' | 'setup'
  status: 'open' | 'complete' | 'expired'
  paymentStatus: 'paid' | 'unpaid' | 'no_payment_required'
  customerId: string | null
  customerEmail: string | null
  clientReferenceId: string | null
  lineItems: { id: string; priceId: string; quantity: number }[]
  discounts: { couponId: string | null; promotionCodeId: string | null }[]
  allowPromotionCodes: boolean
  successUrl: string
  cancelUrl: string | null
  expiresAt: number
  subscriptionId: string | null
  invoiceId: string | null
  paymentIntentId: string | null
  /** Who paid, as they said on the page. */
  customerDetails: { email: string | null; name: string | null } | null
  currency: string
  /** `if_required` asks for no card when nothing is due now. */
  paymentMethodCollection: 'always' | 'if_required'
  subscriptionData: {
    description: string | null
    metadata: Metadata
    trialPeriodDays: number | null
    trialEnd: number | null
    trialEndBehaviour: SubscriptionRecord['trialEndBehaviour']
  }
  paymentIntentData: { description: string | null; metadata: Metadata }
  /** What the page does not act on and the answers repeat, by the wire's names. */
  echoes: Record<string, unknown>
  locale: string | null
  url: string
}
