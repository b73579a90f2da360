import { invalid } from '../../protocol/errors.ts'
import type { Store } from '../../store/store.ts'
import { startSubscription } from '../billing/start-subscription.ts'
import {
  attachPaymentMethod,
  chargeOutcome,
  newPaymentMethod,
  type PaymentMethodRecord,
  setUpCard,
} from '../customers/payment-method.ts'
import { confirmIntent, createPaymentIntent } from '../payments/payment-intent.ts'
import { isRedeemable } from '../products/discount.ts'
import { type CheckoutSessionRecord, checkoutTotals, toWireCheckoutSession } from './checkout-session.ts'

/** The card number and the result of the bank's authentication. */
export type Payment = { card: string; authentication: 'passed' | 'failed' | 'not-asked' }

export type PaymentOutcome =
  | { kind: 'complete'; session: CheckoutSessionRecord }
  | { kind: 'needs-authentication' }
  | { kind: 'declined'; code: string; declineCode: string | null; message: string }

/**
 * Pays for an open session, starts the subscription and completes the session. A declined card leaves only the
 * failed payment. Throws a card error for an unknown card number.
 */
export function paySession(
  store: Store,
  session: CheckoutSessionRecord,
  { card: cardNumber, authentication }: Payment,
): PaymentOutcome {
  if (store.of('customer').get(session.customerId).deleted)
    throw invalid('The customer of this session was deleted.', { code: 'resource_missing' })
  const { total: due } = checkoutTotals(store, session)
  requireRedeemable(store, session)
  const card = newPaymentMethod(store, cardNumber)
  const isAuthenticated = authentication === 'passed'
  // A card that can be saved but fails at its first charge is only declined by a charge.
  const isOnlySaved = due === 0 && card.behavior === 'attaches-then-declines'
  const charged = isOnlySaved ? { kind: 'paid' as const } : chargeOutcome(card, { isAuthenticated })
  // A failed authentication declines any card.
  const isProved = charged.kind !== 'paid' || authentication !== 'failed'
  const answer = isProved ? charged : { kind: 'needs-authentication' as const }
  if (answer.kind === 'paid') return { kind: 'complete', session: complete(store, session, card, due) }
  if (answer.kind === 'needs-authentication' && authentication === 'not-asked') {
    store.of('paymentMethod').remove(card.id)
    return answer
  }
  if (due > 0) recordRefusal(store, session, card, due)
  if (answer.kind === 'declined') return answer
  const code = 'payment_intent_authentication_failure'
  return { kind: 'declined', code, declineCode: null, message: authenticationFailed }
}

const authenticationFailed =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.'

function requireRedeemable(store: Store, { discount, customerId, currency }: CheckoutSessionRecord) {
  if (discount === null || isRedeemable(store, discount, { customerId, currency })) return
  throw invalid('The discount can no longer be redeemed.', { code: 'coupon_expired' })
}

/** Stores the payment intent of a declined payment, and its charge if there was one. */
function recordRefusal(
  store: Store,
  { customerId, currency }: CheckoutSessionRecord,
  card: PaymentMethodRecord,
  amount: number,
) {
  const intent = createPaymentIntent(store, { customerId, amount, currency })
  // A card without authentication would pay if it were confirmed.
  if (chargeOutcome(card).kind !== 'paid') confirmIntent(store, intent.id, card.id)
}

function complete(
  store: Store,
  session: CheckoutSessionRecord,
  card: PaymentMethodRecord,
  due: number,
): CheckoutSessionRecord {
  const { customerId, lineItem, discount, automaticTax, subscriptionMetadata } = session
  setUpCard(store, attachPaymentMethod(store, card.id, customerId))
  const { id: subscriptionId, latestInvoiceId } = startSubscription(store, {
    customerId,
    priceId: lineItem.priceId,
    quantity: lineItem.quantity,
    discounts: discount === null ? [] : [discount],
    metadata: subscriptionMetadata,
    automaticTax,
    defaultPaymentMethodId: card.id,
    isAuthenticated: true,
  })
  const completed = store.of('checkoutSession').put({
    ...session,
    subscriptionId,
    invoiceId: latestInvoiceId,
    status: 'complete',
    paymentStatus: due > 0 ? 'paid' : 'no_payment_required',
  })
  store.emit('checkout.session.completed', toWireCheckoutSession(store, completed), {
    testClockId: store.of('customer').get(customerId).testClockId,
  })
  return completed
}
