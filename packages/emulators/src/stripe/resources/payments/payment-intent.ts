import type { WireObject } from '../../protocol/wire-object.ts'
import type { Common, Store } from '../../store/store.ts'
import { clockOf } from '../customers/customer.ts'
import { type ChargeOutcome, chargeOutcome, setUpCard } from '../customers/payment-method.ts'
import { type ChargeRecord, toWireCharge } from './charge.ts'

type PaymentIntentRecord = Common & {
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

declare module '../../store/store.ts' {
  interface Records {
    paymentIntent: PaymentIntentRecord
  }
}

export function toWirePaymentIntent(_store: Store, intent: PaymentIntentRecord): WireObject {
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
    last_payment_error: lastErrorOf(intent),
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

function lastErrorOf({ lastError, latestChargeId }: PaymentIntentRecord) {
  if (!lastError) return null
  const { code, declineCode, message } = lastError
  return {
    ...(latestChargeId ? { charge: latestChargeId } : {}),
    code,
    ...(declineCode ? { decline_code: declineCode } : {}),
    doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`,
    message,
    type: 'card_error',
  }
}

type NewIntent = { customerId: string; amount: number; currency: string; invoiceId?: string }

/** Creates a payment intent without a card. */
export function createPaymentIntent(
  store: Store,
  { customerId, amount, currency, invoiceId }: NewIntent,
): PaymentIntentRecord {
  const id = store.newId('pi')
  return putIntent(store, 'payment_intent.created', {
    id,
    created: store.now(clockOf(store, customerId)),
    metadata: {},
    customerId,
    amount,
    amountReceived: 0,
    currency,
    status: 'requires_payment_method',
    paymentMethodId: null,
    invoiceId: invoiceId ?? null,
    latestChargeId: null,
    lastError: null,
    canceledAt: null,
    cancellationReason: null,
    clientSecret: `${id}_secret_${store.newId('s').slice(2)}`,
  })
}

/** Charges a card and stores the result in the intent and its charge. Never throws a decline. */
export function confirmIntent(
  store: Store,
  intentId: string,
  paymentMethodId: string,
  { isAuthenticated = false }: { isAuthenticated?: boolean } = {},
): ChargeOutcome {
  const before = store.of('paymentIntent').get(intentId)
  const card = store.of('paymentMethod').get(paymentMethodId, 'payment_method')
  const answer = chargeOutcome(card, { isAuthenticated })
  if (answer.kind === 'needs-authentication') {
    putIntent(store, 'payment_intent.requires_action', {
      ...before,
      paymentMethodId,
      status: 'requires_action',
      lastError: null,
    })
    return answer
  }
  const charge = createCharge(store, before, paymentMethodId, answer)
  if (answer.kind === 'paid') {
    if (isAuthenticated) setUpCard(store, card)
    putIntent(store, 'payment_intent.succeeded', {
      ...before,
      paymentMethodId,
      status: 'succeeded',
      amountReceived: before.amount,
      latestChargeId: charge.id,
      lastError: null,
    })
    return answer
  }
  const { code, declineCode, message } = answer
  putIntent(store, 'payment_intent.payment_failed', {
    ...before,
    status: 'requires_payment_method',
    paymentMethodId: null,
    latestChargeId: charge.id,
    lastError: { code, declineCode, message },
  })
  return answer
}

/** Starts a bank debit, which takes days. Its invoice can't be voided meanwhile. */
export function startProcessing(store: Store, intentId: string): void {
  const before = store.of('paymentIntent').get(intentId)
  putIntent(store, 'payment_intent.processing', { ...before, status: 'processing' })
}

/** Cancels the intent of a voided invoice. */
export function cancelIntent(store: Store, intentId: string): void {
  const before = store.of('paymentIntent').get(intentId)
  const canceledAt = store.now(clockOf(store, before.customerId))
  const canceled = { ...before, status: 'canceled', canceledAt, cancellationReason: 'void_invoice' } as const
  putIntent(store, 'payment_intent.canceled', canceled)
}

function createCharge(
  store: Store,
  { id, customerId, amount, currency }: PaymentIntentRecord,
  paymentMethodId: string,
  answer: ChargeOutcome,
): ChargeRecord {
  const testClockId = clockOf(store, customerId)
  const charge = store.of('charge').put({
    id: store.newId('ch'),
    created: store.now(testClockId),
    metadata: {},
    customerId,
    amount,
    amountRefunded: 0,
    currency,
    status: answer.kind === 'paid' ? 'succeeded' : 'failed',
    paymentMethodId,
    paymentIntentId: id,
    disputeId: null,
    failureCode: answer.kind === 'declined' ? answer.code : null,
    failureMessage: answer.kind === 'declined' ? answer.message : null,
  })
  store.emit(`charge.${charge.status}`, toWireCharge(store, charge), { testClockId })
  return charge
}

function putIntent(store: Store, type: string, intent: PaymentIntentRecord): PaymentIntentRecord {
  store.of('paymentIntent').put(intent)
  const testClockId = clockOf(store, intent.customerId)
  store.emit(type, toWirePaymentIntent(store, intent), { testClockId })
  return intent
}
