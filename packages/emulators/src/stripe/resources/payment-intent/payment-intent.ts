import { type ApiError, cardError } from '../../protocol/errors.ts'
import type { Store } from '../../store/store.ts'
import { toWireCharge, toWirePaymentIntent } from '../charge/charge.ts'
import type { PaymentMethodRecord } from '../customer/customer.record.ts'
import { setUpCard } from '../payment-method/card-setup.ts'
import type { ChargeRecord, PaymentIntentRecord } from './payment.record.ts'

/** How a card answers a charge. */
export type ChargeOutcome =
  | { kind: 'paid' }
  | { kind: 'needs-authentication' }
  | { kind: 'declined'; code: string; declineCode: string; message: string }

/** Returns what a charge of this card would come to now. `isAuthenticated`: its holder has just been authenticated. */
export function chargeOutcome(
  { behavior }: PaymentMethodRecord,
  { isAuthenticated = false }: { isAuthenticated?: boolean } = {},
): ChargeOutcome {
  switch (behavior) {
    case 'succeeds':
      return { kind: 'paid' }
    case 'needs-authentication':
      return { kind: isAuthenticated ? 'paid' : 'needs-authentication' }
    case 'declines-insufficient-funds':
      return declined('insufficient_funds', 'Your card has insufficient funds.')
    case 'declines':
    case 'attaches-then-declines':
      return declined('generic_decline', 'Your card was declined.')
  }
}

function declined(declineCode: string, message: string): ChargeOutcome {
  return { kind: 'declined', code: 'card_declined', declineCode, message }
}

/** Returns the error of an API call whose card was refused. */
export function apiErrorOfOutcome(
  answer: ChargeOutcome,
  extras: Record<string, unknown> = {},
): ApiError | undefined {
  if (answer.kind === 'paid') return undefined
  if (answer.kind === 'declined') {
    return cardError(answer.code, answer.message, { extras: { decline_code: answer.declineCode, ...extras } })
  }
  const message = 'This payment requires additional user action before it can be completed successfully.'
  return cardError('authentication_required', message, {
    extras: { decline_code: 'authentication_required', ...extras },
  })
}

type NewIntent = { customerId: string; amount: number; currency: string; invoiceId?: string }

/** Creates a payment intent that waits for a card. */
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

/** Charges the intent to the card, and keeps what came of it in the intent and its charge; nothing is thrown. */
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

/** Begins a bank debit. It takes days to succeed, and its invoice can't be voided meanwhile. */
export function startProcessing(store: Store, intentId: string): void {
  const before = store.of('paymentIntent').get(intentId)
  putIntent(store, 'payment_intent.processing', { ...before, status: 'processing' })
}

/** Cancels the intent of an invoice that is voided. */
export function cancelIntent(store: Store, intentId: string): void {
  const before = store.of('paymentIntent').get(intentId)
  const canceledAt = store.now(clockOf(store, before.customerId))
  const canceled = { ...before, status: 'canceled', canceledAt, cancellationReason: 'void_invoice' } as const
  putIntent(store, 'payment_intent.canceled', canceled)
}

/** Returns the test clock that a customer lives by; null for the wall's time. */
export function clockOf(store: Store, customerId: string): string | null {
  return store.of('customer').find(customerId)?.testClockId ?? null
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
