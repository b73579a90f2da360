import { cardError, type StripeFault } from '../../protocol/errors.ts'
import type { World } from '../../store/store.ts'
import { toWireCharge, toWirePaymentIntent } from '../charge/charge.ts'
import type { PaymentMethodRecord } from '../customer/customer.record.ts'
import { setUpCard } from '../payment-method/card-setup.ts'
import type { ChargeRecord, PaymentIntentRecord } from './payment.record.ts'

/** How a card answers a charge. */
export type CardAnswer =
  | { kind: 'paid' }
  | { kind: 'needs-authentication' }
  | { kind: 'declined'; code: string; declineCode: string; message: string }

/** Returns what a charge of this card would come to now. `isAuthenticated`: its holder has just been authenticated. */
export function cardAnswer(
  { behaviour }: PaymentMethodRecord,
  { isAuthenticated = false }: { isAuthenticated?: boolean } = {},
): CardAnswer {
  switch (behaviour) {
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

function declined(declineCode: string, message: string): CardAnswer {
  return { kind: 'declined', code: 'card_declined', declineCode, message }
}

/** Returns the error of an API call whose card was refused. */
export function faultOfAnswer(
  answer: CardAnswer,
  extras: Record<string, unknown> = {},
): StripeFault | undefined {
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
  world: World,
  { customerId, amount, currency, invoiceId }: NewIntent,
): PaymentIntentRecord {
  const id = world.newId('pi')
  return putIntent(world, 'payment_intent.created', {
    id,
    created: world.now(clockOf(world, customerId)),
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
    clientSecret: `${id}_secret_${world.newId('s').slice(2)}`,
  })
}

/** Charges the intent to the card, and keeps what came of it in the intent and its charge; nothing is thrown. */
export function confirmIntent(
  world: World,
  intentId: string,
  paymentMethodId: string,
  { isAuthenticated = false }: { isAuthenticated?: boolean } = {},
): CardAnswer {
  const before = world.of('paymentIntent').get(intentId)
  const card = world.of('paymentMethod').get(paymentMethodId, 'payment_method')
  const answer = cardAnswer(card, { isAuthenticated })
  if (answer.kind === 'needs-authentication') {
    putIntent(world, 'payment_intent.requires_action', {
      ...before,
      paymentMethodId,
      status: 'requires_action',
      lastError: null,
    })
    return answer
  }
  const charge = createCharge(world, before, paymentMethodId, answer)
  if (answer.kind === 'paid') {
    if (isAuthenticated) setUpCard(world, card)
    putIntent(world, 'payment_intent.succeeded', {
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
  putIntent(world, 'payment_intent.payment_failed', {
    ...before,
    status: 'requires_payment_method',
    paymentMethodId: null,
    latestChargeId: charge.id,
    lastError: { code, declineCode, message },
  })
  return answer
}

/** Begins a bank debit. It takes days to succeed, and its invoice can't be voided meanwhile. */
export function startProcessing(world: World, intentId: string): void {
  const before = world.of('paymentIntent').get(intentId)
  putIntent(world, 'payment_intent.processing', { ...before, status: 'processing' })
}

/** Cancels the intent of an invoice that is voided. */
export function cancelIntent(world: World, intentId: string): void {
  const before = world.of('paymentIntent').get(intentId)
  const canceledAt = world.now(clockOf(world, before.customerId))
  const canceled = { ...before, status: 'canceled', canceledAt, cancellationReason: 'void_invoice' } as const
  putIntent(world, 'payment_intent.canceled', canceled)
}

/** Returns the test clock that a customer lives by; null for the wall's time. */
export function clockOf(world: World, customerId: string): string | null {
  return world.of('customer').find(customerId)?.testClockId ?? null
}

function createCharge(
  world: World,
  { id, customerId, amount, currency }: PaymentIntentRecord,
  paymentMethodId: string,
  answer: CardAnswer,
): ChargeRecord {
  const testClockId = clockOf(world, customerId)
  const charge = world.of('charge').put({
    id: world.newId('ch'),
    created: world.now(testClockId),
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
  world.emit(`charge.${charge.status}`, toWireCharge(world, charge), { testClockId })
  return charge
}

function putIntent(world: World, type: string, intent: PaymentIntentRecord): PaymentIntentRecord {
  world.of('paymentIntent').put(intent)
  const testClockId = clockOf(world, intent.customerId)
  world.emit(type, toWirePaymentIntent(world, intent), { testClockId })
  return intent
}
