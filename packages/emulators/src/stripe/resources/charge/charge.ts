import { listWithin } from '../../protocol/list.ts'
import type { WireObject } from '../../protocol/wire-object.ts'
import type { Store } from '../../store/store.ts'
import type {
  ChargeRecord,
  DisputeRecord,
  PaymentIntentRecord,
  RefundRecord,
} from '../payment-intent/payment.record.ts'
import { noBillingDetails, toWirePaymentMethod } from '../payment-method/payment-method.wire.ts'

/** A payment intent as Stripe answers it. */
export function toWirePaymentIntent(store: Store, intent: PaymentIntentRecord): WireObject {
  return {
    id: intent.id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: intent.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: intent.amountReceived,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: intent.canceledAt,
    cancellation_reason: intent.cancellationReason,
    capture_method: 'automatic',
    client_secret: intent.clientSecret,
    confirmation_method: 'automatic',
    created: intent.created,
    currency: intent.currency,
    customer: intent.customerId,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    last_payment_error: lastErrorOf(store, intent),
    latest_charge: intent.latestChargeId,
    livemode: false,
    managed_payments: null,
    metadata: intent.metadata,
    next_action:
      intent.status === 'requires_action'
        ? { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } }
        : null,
    on_behalf_of: null,
    payment_method: intent.paymentMethodId,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: intent.invoiceId ? 'off_session' : null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: intent.status,
    transfer_data: null,
    transfer_group: null,
  }
}

/** A charge, with its refunds. */
export function toWireCharge(store: Store, charge: ChargeRecord): WireObject {
  const method = store.of('paymentMethod').find(charge.paymentMethodId)
  const customer = store.of('customer').find(charge.customerId)
  const isPaid = charge.status === 'succeeded'
  const isRefunded = isPaid && charge.amountRefunded === charge.amount
  return {
    id: charge.id,
    object: 'charge',
    amount: charge.amount,
    amount_captured: isPaid ? charge.amount : 0,
    amount_refunded: charge.amountRefunded,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: isPaid ? charge.id.replace(/^ch_/, 'txn_') : null,
    billing_details: { ...noBillingDetails, email: customer?.email ?? null, name: customer?.name ?? null },
    calculated_statement_descriptor: 'STANDIN',
    captured: isPaid,
    created: charge.created,
    currency: charge.currency,
    customer: charge.customerId,
    description: null,
    disputed: charge.disputeId !== null,
    failure_balance_transaction: null,
    failure_code: charge.failureCode,
    failure_message: charge.failureMessage,
    fraud_details: {},
    livemode: false,
    metadata: charge.metadata,
    on_behalf_of: null,
    outcome: outcomeOf(charge),
    paid: isPaid,
    payment_intent: charge.paymentIntentId,
    payment_method: charge.paymentMethodId,
    payment_method_details: method
      ? {
          card: {
            amount_authorized: isPaid ? charge.amount : null,
            authorization_code: null,
            brand: method.brand,
            checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
            country: 'US',
            electronic_commerce_indicator: null,
            exp_month: method.expMonth,
            exp_year: method.expYear,
            extended_authorization: { status: 'disabled' },
            fingerprint: method.fingerprint,
            funding: method.funding,
            incremental_authorization: { status: 'unavailable' },
            installments: null,
            last4: method.last4,
            mandate: null,
            multicapture: { status: 'unavailable' },
            network: method.brand,
            network_token: { used: false },
            network_transaction_id: null,
            overcapture: { maximum_amount_capturable: charge.amount, status: 'unavailable' },
            regulated_status: 'unregulated',
            three_d_secure: null,
            transaction_link_id: null,
            wallet: null,
          },
          type: 'card',
        }
      : null,
    receipt_email: null,
    receipt_number: null,
    receipt_url: isPaid ? `https://pay.stripe.com/receipts/payment/${charge.id}` : null,
    refunded: isRefunded,
    refunds: refundsOf(store, charge),
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: charge.status,
    transfer_data: null,
    transfer_group: null,
  }
}

/** A refund. */
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

/** A dispute. */
export function toWireDispute(store: Store, dispute: DisputeRecord): WireObject {
  const charge = store.of('charge').get(dispute.chargeId)
  const method = store.of('paymentMethod').find(charge.paymentMethodId)
  const isInquiry = dispute.status.startsWith('warning_')
  return {
    id: dispute.id,
    object: 'dispute',
    amount: dispute.amount,
    balance_transactions: [],
    charge: dispute.chargeId,
    created: dispute.created,
    currency: dispute.currency,
    enhanced_eligibility_types: [],
    evidence: Object.fromEntries([
      ...evidenceFields.map((name) => [name, null] as const),
      ['enhanced_evidence', {}] as const,
    ]),
    evidence_details: {
      due_by: dispute.created + 7 * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: null,
    },
    intended_submission_method: null,
    is_charge_refundable: isInquiry,
    livemode: false,
    metadata: dispute.metadata,
    network_reason_code: '10.4',
    payment_intent: dispute.paymentIntentId,
    payment_method_details: {
      card: {
        brand: method?.brand ?? 'visa',
        case_type: isInquiry ? 'inquiry' : 'chargeback',
        network: method?.brand ?? 'visa',
        network_reason_code: '10.4',
      },
      type: 'card',
    },
    reason: dispute.reason,
    status: dispute.status,
  }
}

const evidenceFields = [
  'access_activity_log',
  'billing_address',
  'cancellation_policy',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_communication',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'customer_signature',
  'duplicate_charge_documentation',
  'duplicate_charge_explanation',
  'duplicate_charge_id',
  'product_description',
  'receipt',
  'refund_policy',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'service_documentation',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_documentation',
  'shipping_tracking_number',
  'uncategorized_file',
  'uncategorized_text',
]

function lastErrorOf(store: Store, { lastError, latestChargeId, paymentMethodId }: PaymentIntentRecord) {
  if (!lastError) return null
  const method = paymentMethodId ? store.of('paymentMethod').find(paymentMethodId) : undefined
  const { code, declineCode, message } = lastError
  return {
    ...(latestChargeId ? { charge: latestChargeId } : {}),
    code,
    ...(declineCode ? { decline_code: declineCode } : {}),
    doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`,
    message,
    ...(method ? { payment_method: toWirePaymentMethod(store, method) } : {}),
    type: 'card_error',
  }
}

function refundsOf(store: Store, { id, amountRefunded }: ChargeRecord) {
  const refunds = amountRefunded === 0 ? [] : store.of('refund').list(({ chargeId }) => chargeId === id)
  return listWithin(
    refunds.map((refund) => toWireRefund(store, refund)),
    `/v1/charges/${id}/refunds`,
  )
}

function outcomeOf({ status, failureCode, failureMessage }: ChargeRecord) {
  const isPaid = status === 'succeeded'
  return {
    advice_code: isPaid ? null : 'try_again_later',
    network_advice_code: null,
    network_decline_code: isPaid ? null : '05',
    network_status: isPaid ? 'approved_by_network' : 'declined_by_network',
    reason: isPaid ? null : failureCode,
    risk_level: 'normal',
    risk_score: 32,
    seller_message: isPaid ? 'Payment complete.' : failureMessage,
    type: isPaid ? 'authorized' : 'issuer_declined',
  }
}
