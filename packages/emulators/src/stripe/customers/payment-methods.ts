import { createHash } from 'node:crypto'
import { cardError, invalid } from '../protocol/errors.ts'
import type { Metadata } from '../records/common.ts'
import type { CardBehaviour, PaymentMethodRecord } from '../records/customer.ts'
import { toWirePaymentMethod } from '../wire/payment-method.ts'
import type { World } from '../world/world.ts'
import { requireCustomer, saveCustomer } from './customers.ts'
import { findTestCard } from './test-cards.ts'

type NewPaymentMethod = {
  /** Null for a card that is not saved with anybody yet. */
  customerId: string | null
  /** A test card's number, or a ready-made payment method like `pm_card_visa`. */
  cardNumber: string
  expMonth?: number
  expYear?: number
  email?: string | null
  name?: string | null
  phone?: string | null
  address?: Record<string, unknown> | null
  metadata?: Metadata
}

/**
 * A payment method of a test card; with a customer it is attached. Throws `incorrect_number` for a number that no test
 * card has, and what attaching throws.
 */
export function newPaymentMethod(world: World, given: NewPaymentMethod): PaymentMethodRecord {
  const card = findTestCard(given.cardNumber)
  if (!card) throw cardError('incorrect_number', 'Your card number is incorrect.', { param: 'number' })
  const { email = null, name = null, phone = null, address = null } = given
  const created = world.now()
  const method = world.of('paymentMethod').put({
    id: world.newId('pm'),
    created,
    metadata: given.metadata ?? {},
    customerId: null,
    brand: card.brand,
    last4: card.number.slice(-4),
    expMonth: given.expMonth ?? 12,
    expYear: given.expYear ?? new Date(created * 1000).getUTCFullYear() + 4,
    funding: card.funding,
    fingerprint: createHash('sha256')
      .update(card.number)
      .digest('base64url')
      .replaceAll(/[-_]/g, '0')
      .slice(0, 16),
    billing: { email, name, phone, address },
    behaviour: card.behaviour,
  })
  return given.customerId === null ? method : attachPaymentMethod(world, method.id, given.customerId)
}

const refusals: Partial<Record<CardBehaviour, { declineCode: string; message: string }>> = {
  declines: { declineCode: 'generic_decline', message: 'Your card was declined.' },
  'declines-insufficient-funds': {
    declineCode: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
  },
}

/** Throws `card_declined` for a card that is declined when it is saved. */
export function requireAcceptance({ behaviour }: PaymentMethodRecord): void {
  const refusal = refusals[behaviour]
  if (!refusal) return
  const { declineCode, message } = refusal
  throw cardError('card_declined', message, { extras: { decline_code: declineCode } })
}

/**
 * Saves a card with a customer, or does nothing when it is there. Throws `card_declined` for a card that is declined
 * when it is saved, and `payment_method_unexpected_state` for one that is another customer's.
 */
export function attachPaymentMethod(world: World, id: string, customerId: string): PaymentMethodRecord {
  const method = paymentMethodOf(world, id, 'payment_method')
  const customer = requireCustomer(world, customerId, 'customer')
  if (method.customerId === customer.id) return method
  if (method.customerId !== null) {
    const message = 'The payment method you provided has already been attached to a customer.'
    throw invalid(message, { code: 'payment_method_unexpected_state' })
  }
  requireAcceptance(method)
  const attached = world.of('paymentMethod').put({ ...method, customerId: customer.id })
  world.emit('payment_method.attached', toWirePaymentMethod(world, attached), {
    testClockId: customer.testClockId,
  })
  return attached
}

/** Takes a card from its customer; whatever paid by it pays by it no more. */
export function detachPaymentMethod(world: World, id: string): PaymentMethodRecord {
  const method = world.of('paymentMethod').get(id)
  const customer = method.customerId === null ? undefined : world.of('customer').find(method.customerId)
  if (!customer) {
    const message =
      'The payment method you provided is not attached to a customer so detachment is impossible.'
    throw invalid(message, { code: 'payment_method_unexpected_state' })
  }
  const detached = world.of('paymentMethod').put({ ...method, customerId: null })
  world.emit('payment_method.detached', toWirePaymentMethod(world, detached), {
    previous: { customer: customer.id },
    testClockId: customer.testClockId,
  })
  if (customer.defaultPaymentMethodId === id) {
    saveCustomer(world, customer, { ...customer, defaultPaymentMethodId: null })
  }
  const payingSubscriptions = world
    .of('subscription')
    .ofCustomer(customer.id, ({ defaultPaymentMethodId }) => defaultPaymentMethodId === id)
  for (const subscription of payingSubscriptions) {
    world.of('subscription').put({ ...subscription, defaultPaymentMethodId: null })
  }
  return detached
}

/** A payment method by its id; a ready-made one like `pm_card_visa` becomes a new one. Throws `resource_missing`. */
export function paymentMethodOf(world: World, id: string, param?: string): PaymentMethodRecord {
  const isReadyMade = id.startsWith('pm_card_') && findTestCard(id) !== undefined
  if (isReadyMade) return newPaymentMethod(world, { customerId: null, cardNumber: id })
  return world.of('paymentMethod').get(id, param)
}

/** The ready-made payment method that an older token stands for: `pm_card_visa` for `tok_visa`. */
export function methodOfToken(token: string): string {
  return token.replace(/^tok_/, 'pm_card_')
}
