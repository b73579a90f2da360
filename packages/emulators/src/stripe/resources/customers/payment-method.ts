import { createHash } from 'node:crypto'
import { type Endpoint, endpoint, retrieve } from '../../endpoints/endpoint.ts'
import { type ApiError, cardError, invalid } from '../../protocol/errors.ts'
import { listOf, pagination } from '../../protocol/list.ts'
import { choice, object, text } from '../../protocol/params.ts'
import type { WireObject } from '../../protocol/wire-object.ts'
import type { Common, Store } from '../../store/store.ts'
import { noAddress, requireCustomer, saveCustomer } from './customer.ts'

/** The result of charging a card. `attaches-then-declines` can be saved and fails at every charge. */
type CardBehavior =
  | 'succeeds'
  | 'declines'
  | 'declines-insufficient-funds'
  | 'needs-authentication'
  | 'attaches-then-declines'

export type PaymentMethodRecord = Common & {
  customerId: string | null
  brand: string
  last4: string
  expMonth: number
  expYear: number
  funding: 'credit' | 'debit'
  /** Equal for equal card numbers. */
  fingerprint: string
  behavior: CardBehavior
}

declare module '../../store/store.ts' {
  interface Records {
    paymentMethod: PaymentMethodRecord
  }
}

type TestCard = Pick<PaymentMethodRecord, 'brand' | 'funding' | 'behavior'> & {
  number: string
  /** The id of the predefined payment method. */
  token: string
}

function card(
  number: string,
  token: string,
  behavior: CardBehavior,
  brand = 'visa',
  funding: 'credit' | 'debit' = 'credit',
) {
  return { number, token, behavior, brand, funding } satisfies TestCard
}

/** Stripe's test cards. */
const testCards: readonly TestCard[] = [
  card('4242424242424242', 'pm_card_visa', 'succeeds'),
  card('4000056655665556', 'pm_card_visa_debit', 'succeeds', 'visa', 'debit'),
  card('5555555555554444', 'pm_card_mastercard', 'succeeds', 'mastercard'),
  card('378282246310005', 'pm_card_amex', 'succeeds', 'amex'),
  card('4000000000000002', 'pm_card_chargeDeclined', 'declines'),
  card('4000000000009995', 'pm_card_chargeDeclinedInsufficientFunds', 'declines-insufficient-funds'),
  card('4000000000000341', 'pm_card_chargeCustomerFail', 'attaches-then-declines'),
  card('4000002500003155', 'pm_card_authenticationRequiredOnSetup', 'needs-authentication'),
  card('4000002760003184', 'pm_card_authenticationRequired', 'needs-authentication'),
]

/** Returns the test card of a number or of a predefined payment method. */
function findTestCard(numberOrToken: string): TestCard | undefined {
  const wanted = numberOrToken.replaceAll(/[\s-]/g, '')
  return testCards.find(({ number, token }) => number === wanted || token === wanted)
}

export function toWirePaymentMethod(_store: Store, method: PaymentMethodRecord): WireObject {
  return {
    id: method.id,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: noBillingDetails,
    card: {
      brand: method.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: method.brand,
      exp_month: method.expMonth,
      exp_year: method.expYear,
      fingerprint: method.fingerprint,
      funding: method.funding,
      generated_from: null,
      last4: method.last4,
      networks: { available: [method.brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: method.created,
    customer: method.customerId,
    customer_account: null,
    livemode: false,
    metadata: method.metadata,
    type: 'card',
  }
}

export const noBillingDetails = { address: noAddress, email: null, name: null, phone: null, tax_id: null }

/**
 * Creates a payment method from a test card's number or a predefined id like `pm_card_visa`. Throws
 * `incorrect_number`.
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

/** The result of a charge. */
export type ChargeOutcome =
  | { kind: 'paid' }
  | { kind: 'needs-authentication' }
  | { kind: 'declined'; code: string; declineCode: string; message: string }

/** Returns the result of charging a card. `isAuthenticated`: the cardholder was just authenticated. */
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

/** Returns the API error of a declined card. */
export function apiErrorOfOutcome(
  outcome: ChargeOutcome,
  extras: Record<string, unknown> = {},
): ApiError | undefined {
  if (outcome.kind === 'paid') return undefined
  if (outcome.kind === 'declined') {
    return cardError(outcome.code, outcome.message, {
      extras: { decline_code: outcome.declineCode, ...extras },
    })
  }
  const message = 'This payment requires additional user action before it can be completed successfully.'
  return cardError('authentication_required', message, {
    extras: { decline_code: 'authentication_required', ...extras },
  })
}

/** Throws `card_declined` for a card that can't be saved. */
export function requireAcceptance(method: PaymentMethodRecord): void {
  if (method.behavior !== 'declines' && method.behavior !== 'declines-insufficient-funds') return
  const error = apiErrorOfOutcome(chargeOutcome(method))
  if (error) throw error
}

/**
 * Attaches a card to a customer. Throws `card_declined`, or `payment_method_unexpected_state` for another
 * customer's card.
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

/**
 * Detaches a card, which can't be used or attached again. It stops being the default of its
 * customer. Throws for a card without a customer (https://docs.stripe.com/api/payment_methods/detach).
 */
function detachPaymentMethod(store: Store, id: string): PaymentMethodRecord {
  const method = store.of('paymentMethod').get(id)
  if (method.customerId === null) {
    throw invalid(
      'The payment method you provided is not attached to a customer so detachment is impossible.',
    )
  }
  const customer = store.of('customer').get(method.customerId)
  if (customer.defaultPaymentMethodId === id)
    saveCustomer(store, customer, { ...customer, defaultPaymentMethodId: null })
  const detached = store.of('paymentMethod').put({ ...method, customerId: null })
  store.emit('payment_method.detached', toWirePaymentMethod(store, detached), {
    testClockId: customer.testClockId,
  })
  return detached
}

/** Returns a payment method. A predefined id like `pm_card_visa` creates one. Throws `resource_missing`. */
export function paymentMethodOf(store: Store, id: string, param?: string): PaymentMethodRecord {
  const isReadyMade = id.startsWith('pm_card_') && findTestCard(id) !== undefined
  if (isReadyMade) return newPaymentMethod(store, id)
  return store.of('paymentMethod').get(id, param)
}

/** Throws unless the card belongs to the customer. `param` held its id. */
export function requireOwnCard(store: Store, id: string, customerId: string, param: string): void {
  if (paymentMethodOf(store, id, param).customerId === customerId) return
  throw invalid(
    `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
    { code: 'resource_missing', param },
  )
}

/** Applies the authentication of a saved card: …3155 needs none afterwards, …3184 always does. */
export function setUpCard(store: Store, card: PaymentMethodRecord): PaymentMethodRecord {
  if (card.behavior !== 'needs-authentication' || card.last4 !== '3155') return card
  return store.of('paymentMethod').put({ ...card, behavior: 'succeeds' })
}

const path = '/payment_methods'

export const paymentMethodEndpoints: Endpoint[] = [
  endpoint(
    'GET',
    path,
    object({ ...pagination, customer: text, type: choice('card').optional() }),
    ({ store, params }) => {
      const customer = requireCustomer(store, params.customer, 'customer')
      const cards = store.of('paymentMethod').ofCustomer(customer.id)
      return listOf(cards, params, `/v1${path}`, (method) => toWirePaymentMethod(store, method))
    },
  ),
  retrieve(path, 'paymentMethod', toWirePaymentMethod),
  endpoint('POST', `${path}/:id/attach`, object({ customer: text }), ({ store, params, id }) =>
    toWirePaymentMethod(store, attachPaymentMethod(store, id, params.customer)),
  ),
  endpoint('POST', `${path}/:id/detach`, object({}), ({ store, id }) =>
    toWirePaymentMethod(store, detachPaymentMethod(store, id)),
  ),
]
