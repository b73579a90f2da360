import { setUpCard } from '../../customers/card-setup.ts'
import { cardError, type StripeFault } from '../../protocol/errors.ts'
import type { PaymentMethodRecord } from '../../records/customer.ts'
import type { ChargeRecord, PaymentIntentRecord } from '../../records/payment.ts'
import { toWireCharge, toWirePaymentIntent } from '../../wire/payment.ts'
import type { World } from '../../world/world.ts'

/** How a card answers a charge. */
export type CardAnswer =
  | { kind: 'paid' }
  | { kind: 'needs-authentication' }
  | { kind: 'declined'; code: string; declineCode: string; message: string }

/** What a charge of this card would come to now. `isAuthenticated`: its holder has just proved to be the holder. */
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

/** The refusal that an API call answers with when the card said no. */
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

/** A payment intent that waits for a card, or for its confirmation; told of as `payment_intent.created`. */
export function createPaymentIntent(
  world: World,
  {
    customerId,
    amount,
    currency,
    paymentMethodId = null,
    invoiceId = null,
    metadata = {},
    description = null,
  }: {
    customerId: string | null
    amount: number
    currency: string
    paymentMethodId?: string | null
    invoiceId?: string | null
    metadata?: Record<string, string>
    description?: string | null
  },
): PaymentIntentRecord {
  const id = world.newId('pi')
  const intent = world.of('paymentIntent').put({
    id,
    created: world.now(clockOf(world, customerId)),
    metadata,
    customerId,
    amount,
    amountReceived: 0,
    currency,
    status: paymentMethodId ? 'requires_confirmation' : 'requires_payment_method',
    paymentMethodId,
    invoiceId,
    latestChargeId: null,
    lastError: null,
    canceledAt: null,
    cancellationReason: null,
    clientSecret: `${id}_secret_${world.newId('s').slice(2)}`,
    description,
  })
  tellOfIntent(world, 'payment_intent.created', intent)
  return intent
}

/** Charges the intent to the card. The intent and its charge say what came of it; nothing is thrown. */
export function confirmIntent(
  world: World,
  intentId: string,
  paymentMethodId: string,
  { isAuthenticated = false }: { isAuthenticated?: boolean } = {},
): { intent: PaymentIntentRecord; answer: CardAnswer } {
  const before = world.of('paymentIntent').get(intentId)
  const card = world.of('paymentMethod').get(paymentMethodId, 'payment_method')
  const answer = cardAnswer(card, { isAuthenticated })
  if (answer.kind === 'needs-authentication') {
    const intent = world
      .of('paymentIntent')
      .put({ ...before, paymentMethodId, status: 'requires_action', lastError: null })
    tellOfIntent(world, 'payment_intent.requires_action', intent)
    return { intent, answer }
  }
  const charge = createCharge(world, { ...before, paymentMethodId }, answer)
  if (answer.kind === 'paid') {
    if (isAuthenticated) setUpCard(world, card)
    const intent = world.of('paymentIntent').put({
      ...before,
      paymentMethodId,
      status: 'succeeded',
      amountReceived: before.amount,
      latestChargeId: charge.id,
      lastError: null,
    })
    tellOfIntent(world, 'payment_intent.succeeded', intent)
    return { intent, answer }
  }
  const { code, declineCode, message } = answer
  const intent = failIntent(world, before, { code, declineCode, message }, charge.id)
  return { intent, answer }
}

/** The holder did not prove to be the holder: the intent asks for another card. */
export function failAuthentication(world: World, intentId: string): PaymentIntentRecord {
  return failIntent(
    world,
    world.of('paymentIntent').get(intentId),
    {
      code: 'payment_intent_authentication_failure',
      declineCode: null,
      message:
        'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    },
    null,
  )
}

/** Ends an intent that has not been paid, for a reason of Stripe's. */
export function cancelIntent(
  world: World,
  intentId: string,
  cancellationReason: PaymentIntentRecord['cancellationReason'],
): PaymentIntentRecord {
  const before = world.of('paymentIntent').get(intentId)
  const canceledAt = world.now(clockOf(world, before.customerId))
  const intent = world
    .of('paymentIntent')
    .put({ ...before, status: 'canceled', canceledAt, cancellationReason })
  tellOfIntent(world, 'payment_intent.canceled', intent)
  return intent
}

/** The test clock that a customer lives by; null for the wall's time. */
export function clockOf(world: World, customerId: string | null): string | null {
  return (customerId && world.of('customer').find(customerId)?.testClockId) || null
}

function failIntent(
  world: World,
  before: PaymentIntentRecord,
  lastError: NonNullable<PaymentIntentRecord['lastError']>,
  chargeId: string | null,
) {
  const failed = world.of('paymentIntent').put({
    ...before,
    status: 'requires_payment_method',
    paymentMethodId: null,
    latestChargeId: chargeId ?? before.latestChargeId,
    lastError,
  })
  tellOfIntent(world, 'payment_intent.payment_failed', failed)
  return failed
}

function createCharge(world: World, intent: PaymentIntentRecord, answer: CardAnswer): ChargeRecord {
  const testClockId = clockOf(world, intent.customerId)
  const charge = world.of('charge').put({
    id: world.newId('ch'),
    created: world.now(testClockId),
    metadata: {},
    customerId: intent.customerId,
    amount: intent.amount,
    amountRefunded: 0,
    currency: intent.currency,
    status: answer.kind === 'paid' ? 'succeeded' : 'failed',
    paymentMethodId: intent.paymentMethodId,
    paymentIntentId: intent.id,
    disputeId: null,
    failureCode: answer.kind === 'declined' ? answer.code : null,
    failureMessage: answer.kind === 'declined' ? answer.message : null,
  })
  const type = charge.status === 'succeeded' ? 'charge.succeeded' : 'charge.failed'
  world.emit(type, toWireCharge(world, charge), { testClockId })
  return charge
}

function tellOfIntent(world: World, type: string, intent: PaymentIntentRecord) {
  world.emit(type, toWirePaymentIntent(world, intent), { testClockId: clockOf(world, intent.customerId) })
}
