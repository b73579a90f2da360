import {
  cardAnswer,
  confirmIntent,
  createPaymentIntent,
  failAuthentication,
} from '../billing/cards/charging.ts'
import { startSubscription } from '../billing/subscriptions/start.ts'
import { isRedeemable, redeem } from '../catalogue/coupons.ts'
import { setUpCard } from '../customers/card-setup.ts'
import { createCustomer } from '../customers/customers.ts'
import { attachPaymentMethod, newPaymentMethod } from '../customers/payment-methods.ts'
import { cardError, invalid } from '../protocol/errors.ts'
import type { CheckoutSessionRecord } from '../records/checkout-session.ts'
import type { PaymentMethodRecord } from '../records/customer.ts'
import { totalsOf } from '../rules/checkout-totals.ts'
import { toWireCheckoutSession } from '../wire/checkout-session.ts'
import type { World } from '../world/world.ts'

/** What somebody pays with. `authentication` is how the bank's question ended, if it was asked. */
export type Payment = {
  /** Digits only; empty for a session that asks for no card. */
  card: string
  email: string | null
  name: string | null
  authentication: 'passed' | 'failed' | 'not-asked'
}

export type PaymentOutcome =
  | { kind: 'complete'; session: CheckoutSessionRecord }
  | { kind: 'needs-authentication' }
  | { kind: 'declined'; code: string; declineCode: string | null; message: string }

/**
 * Pays for an open session: starts the subscription or charges once, completes the session and tells of it. When the
 * card is refused nothing but the failed payment is left. Throws a card error for a number that is no test card.
 */
export function paySession(world: World, session: CheckoutSessionRecord, payment: Payment): PaymentOutcome {
  refuseDeletedCustomer(world, session)
  refuseSpentDiscount(world, session)
  const due = totalsOf(world, session).total
  if (due === 0 && session.paymentMethodCollection === 'if_required' && payment.card === '') {
    return { kind: 'complete', session: complete(world, session, payment, null, due) }
  }
  const card = newPaymentMethod(world, { customerId: null, cardNumber: payment.card })
  const isAuthenticated = payment.authentication === 'passed'
  // What can be saved and fails at its first charge is only found out by charging it.
  const isOnlySaved = due === 0 && card.behaviour === 'attaches-then-declines'
  const charged = isOnlySaved ? { kind: 'paid' as const } : cardAnswer(card, { isAuthenticated })
  // Who failed to prove to be the card's holder does not pay with it, whatever card it is.
  const isProved = charged.kind !== 'paid' || payment.authentication !== 'failed'
  const answer = isProved ? charged : { kind: 'needs-authentication' as const }
  switch (answer.kind) {
    case 'paid':
      return { kind: 'complete', session: complete(world, session, payment, card, due) }
    case 'declined': {
      if (due > 0) recordRefusal(world, session, card, due, 'charge')
      return answer
    }
    case 'needs-authentication': {
      if (payment.authentication === 'not-asked') {
        world.of('paymentMethod').remove(card.id)
        return answer
      }
      if (due > 0) recordRefusal(world, session, card, due, 'authentication')
      const code = 'payment_intent_authentication_failure'
      return { kind: 'declined', code, declineCode: null, message: authenticationFailed }
    }
  }
}

const authenticationFailed =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.'

function refuseDeletedCustomer(world: World, { customerId }: CheckoutSessionRecord) {
  const isDeleted = customerId !== null && (world.of('customer').find(customerId)?.deleted ?? true)
  if (isDeleted) throw invalid('The customer of this session was deleted.', { code: 'resource_missing' })
}

function refuseSpentDiscount(world: World, { discounts, customerId }: CheckoutSessionRecord) {
  if (discounts.every((choice) => isRedeemable(world, choice, { customerId }))) return
  throw invalid('The discount can no longer be redeemed.', { code: 'coupon_expired' })
}

/** A refused payment leaves its intent, and its charge if it came to one. */
function recordRefusal(
  world: World,
  session: CheckoutSessionRecord,
  card: PaymentMethodRecord,
  amount: number,
  refusedAt: 'charge' | 'authentication',
) {
  const intentId = session.paymentIntentId ?? intentFor(world, session, session.customerId, amount).id
  // A card that asks nothing would pay, were it confirmed.
  const isConfirmed = refusedAt === 'charge' || card.behaviour === 'needs-authentication'
  if (isConfirmed) confirmIntent(world, intentId, card.id)
  if (refusedAt === 'authentication') failAuthentication(world, intentId)
  // A payment session keeps its intent for the next try; a subscription's first invoice makes its own.
  if (session.mode !== 'payment') return
  world.of('checkoutSession').put({ ...session, paymentIntentId: intentId })
}

function intentFor(world: World, session: CheckoutSessionRecord, customerId: string | null, amount: number) {
  const { currency, paymentIntentData } = session
  return createPaymentIntent(world, { customerId, amount, currency, ...paymentIntentData })
}

function complete(
  world: World,
  session: CheckoutSessionRecord,
  payment: Payment,
  card: PaymentMethodRecord | null,
  due: number,
): CheckoutSessionRecord {
  const customerId = payerOf(world, session, payment)
  if (card && customerId) setUpCard(world, attachPaymentMethod(world, card.id, customerId))
  const customer = customerId ? world.of('customer').get(customerId) : undefined
  const bought =
    session.mode === 'subscription' && customerId
      ? subscribe(world, session, customerId, card)
      : payOnce(world, session, customerId, card, due)
  const email = customer?.email ?? session.customerEmail ?? payment.email
  const completed = world.of('checkoutSession').put({
    ...session,
    ...bought,
    status: 'complete',
    paymentStatus: due > 0 ? 'paid' : 'no_payment_required',
    customerId,
    customerDetails: { email, name: payment.name ?? customer?.name ?? null },
  })
  world.emit('checkout.session.completed', toWireCheckoutSession(world, completed), {
    testClockId: customer?.testClockId ?? null,
  })
  return completed
}

/** The customer who pays: made now when there is none, but for a single payment, which needs none. */
function payerOf(world: World, session: CheckoutSessionRecord, { email, name }: Payment): string | null {
  if (session.customerId || session.mode === 'payment') return session.customerId
  return createCustomer(world, { email: session.customerEmail ?? email, name }).id
}

function subscribe(
  world: World,
  session: CheckoutSessionRecord,
  customerId: string,
  card: PaymentMethodRecord | null,
) {
  const { lineItems, discounts, subscriptionData } = session
  const isRecurring = ({ priceId }: { priceId: string }) => world.of('price').get(priceId).recurring !== null
  const subscription = startSubscription(world, {
    customerId,
    items: lineItems
      .filter((item) => isRecurring(item))
      .map(({ priceId, quantity }) => ({ priceId, quantity })),
    onceItems: lineItems.filter((item) => !isRecurring(item)),
    discounts,
    trialEnd: subscriptionData.trialEnd,
    trialPeriodDays: subscriptionData.trialPeriodDays,
    trialEndBehaviour: subscriptionData.trialEndBehaviour,
    metadata: subscriptionData.metadata,
    description: subscriptionData.description,
    defaultPaymentMethodId: card?.id ?? null,
    paymentBehavior: 'allow_incomplete',
    isAuthenticated: true,
  })
  return { subscriptionId: subscription.id, invoiceId: subscription.latestInvoiceId }
}

function payOnce(
  world: World,
  session: CheckoutSessionRecord,
  customerId: string | null,
  card: PaymentMethodRecord | null,
  due: number,
) {
  for (const choice of session.discounts) redeem(world, choice, { customerId })
  if (due === 0 || !card) return {}
  const intentId = session.paymentIntentId ?? intentFor(world, session, customerId, due).id
  const { answer } = confirmIntent(world, intentId, card.id, { isAuthenticated: true })
  if (answer.kind === 'declined') throw cardError(answer.code, answer.message)
  return { paymentIntentId: intentId }
}
