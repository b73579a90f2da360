import type { Common } from '../../store/common.ts'

export type PaymentIntentRecord = Common & {
  customerId: string
  amount: number
  amountReceived: number
  currency: string
  status: 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'canceled'
  paymentMethodId: string | null
  invoiceId: string | null
  latestChargeId: string | null
  lastError: { code: string; declineCode: string | null; message: string } | null
  canceledAt: number | null
  cancellationReason: 'void_invoice' | null
  clientSecret: string
}

export type ChargeRecord = Common & {
  customerId: string
  amount: number
  amountRefunded: number
  currency: string
  status: 'succeeded' | 'failed' | 'pending'
  paymentMethodId: string
  paymentIntentId: string
  disputeId: string | null
  failureCode: string | null
  failureMessage: string | null
}

export type RefundRecord = Common & {
  amount: number
  currency: string
  chargeId: string
  paymentIntentId: string
  reason: 'duplicate' | 'fraudulent' | 'requested_by_customer' | null
  status: 'succeeded' | 'pending' | 'failed' | 'canceled'
}

export type DisputeRecord = Common & {
  amount: number
  currency: string
  chargeId: string
  paymentIntentId: string
  reason: string
  /** One of Stripe's; `warning_…` is an inquiry. */
  status: string
}
