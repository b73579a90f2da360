import { createHash } from 'node:crypto'
import { cardError, invalid } from '../../protocol/errors.ts'
import type { Store } from '../../store/store.ts'
import type { CardBehavior, PaymentMethodRecord } from '../customer/customer.record.ts'
import { requireCustomer, saveCustomer } from '../customer/customer.ts'
import { toWirePaymentMethod } from './payment-method.wire.ts'
import { findTestCard } from './test-cards.ts'

/**
 * Creates a payment method of a test card: by its number, or by the id of a ready-made one like `pm_card_visa`. Throws
 * `incorrect_number` for any other number.
 */
export function newPaymentMethod(store: Store, cardNumber: string): PaymentMethodRecord {
  const card = findTestCard(cardNumber)
  if (!card) throw cardError('incorrect_number', 'Your card number is incorrect.', { param: 'number' })
  const created = store.now()
  return store.of('paymentMethod').put({
    id: store.newId('pm'),
    created,
    metadata: {},
    customerId: null,
    brand: card.brand,
    last4: card.number.slice(-4),
    expMonth: 12,
    expYear: new Date(created * 1000).getUTCFullYear() + 4,
    funding: card.funding,
    fingerprint: createHash('sha256')
      .update(card.number)
      .digest('base64url')
      .replaceAll(/[-_]/g, '0')
      .slice(0, 16),
    behavior: card.behavior,
  })
}

const refusals: Partial<Record<CardBehavior, { declineCode: string; message: string }>> = {
  declines: { declineCode: 'generic_decline', message: 'Your card was declined.' },
  'declines-insufficient-funds': {
    declineCode: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
  },
}

/** Throws `card_declined` for a card that is declined when it is saved. */
export function requireAcceptance({ behavior }: PaymentMethodRecord): void {
  const refusal = refusals[behavior]
  if (!refusal) return
  const { declineCode, message } = refusal
  throw cardError('card_declined', message, { extras: { decline_code: declineCode } })
}

/**
 * Saves a card with a customer, or does nothing when it is there. Throws `card_declined` for a card that is declined
 * when it is saved, and `payment_method_unexpected_state` for one that is another customer's.
 */
export function attachPaymentMethod(store: Store, id: string, customerId: string): PaymentMethodRecord {
  const method = paymentMethodOf(store, id, 'payment_method')
  const customer = requireCustomer(store, customerId, 'customer')
  if (method.customerId === customer.id) return method
  if (method.customerId !== null) {
    const message = 'The payment method you provided has already been attached to a customer.'
    throw invalid(message, { code: 'payment_method_unexpected_state' })
  }
  requireAcceptance(method)
  const attached = store.of('paymentMethod').put({ ...method, customerId: customer.id })
  store.emit('payment_method.attached', toWirePaymentMethod(store, attached), {
    testClockId: customer.testClockId,
  })
  return attached
}

/** Takes a card from its customer; whatever paid by it pays by it no more. */
export function detachPaymentMethod(store: Store, id: string): PaymentMethodRecord {
  const method = store.of('paymentMethod').get(id)
  const customer = method.customerId === null ? undefined : store.of('customer').find(method.customerId)
  if (!customer) {
    const message =
      'The payment method you provided is not attached to a customer so detachment is impossible.'
    throw invalid(message, { code: 'payment_method_unexpected_state' })
  }
  const detached = store.of('paymentMethod').put({ ...method, customerId: null })
  store.emit('payment_method.detached', toWirePaymentMethod(store, detached), {
    previous: { customer: customer.id },
    testClockId: customer.testClockId,
  })
  if (customer.defaultPaymentMethodId === id) {
    saveCustomer(store, customer, { ...customer, defaultPaymentMethodId: null })
  }
  const payingSubscriptions = store
    .of('subscription')
    .ofCustomer(customer.id, ({ defaultPaymentMethodId }) => defaultPaymentMethodId === id)
  for (const subscription of payingSubscriptions) {
    store.of('subscription').put({ ...subscription, defaultPaymentMethodId: null })
  }
  return detached
}

/** A payment method by its id; a ready-made one like `pm_card_visa` becomes a new one. Throws `resource_missing`. */
export function paymentMethodOf(store: Store, id: string, param?: string): PaymentMethodRecord {
  const isReadyMade = id.startsWith('pm_card_') && findTestCard(id) !== undefined
  if (isReadyMade) return newPaymentMethod(store, id)
  return store.of('paymentMethod').get(id, param)
}

/** Throws unless the card is saved with this customer; `param` named it. */
export function requireOwnCard(store: Store, id: string, customerId: string, param: string): void {
  if (paymentMethodOf(store, id, param).customerId === customerId) return
  throw invalid(
    `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
    { code: 'resource_missing', param },
  )
}
