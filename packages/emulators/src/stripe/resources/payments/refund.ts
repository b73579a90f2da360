import type { WireObject } from '../../protocol/wire-object.ts'
import type { Common, Store } from '../../store/store.ts'

export type RefundRecord = Common & {
  amount: number
  currency: string
  chargeId: string
  paymentIntentId: string
  reason: 'duplicate' | 'fraudulent' | 'requested_by_customer' | null
  status: 'succeeded' | 'pending' | 'failed' | 'canceled'
}

declare module '../../store/store.ts' {
  interface Records {
    refund: RefundRecord
  }
}

export function toWireRefund(store: Store, refund: RefundRecord): WireObject {
  const charge = store.of('charge').get(refund.chargeId)
  return {
    id: refund.id,
    object: 'refund',
    amount: refund.amount,
    balance_transaction: refund.id.replace(/^re_/, 'txn_'),
    charge: refund.chargeId,
    created: refund.created,
    currency: refund.currency,
    customer: charge.customerId,
    customer_account: null,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata: refund.metadata,
    payment_intent: refund.paymentIntentId,
    payment_method: charge.paymentMethodId,
    reason: refund.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: refund.status,
    transfer_reversal: null,
  }
}
