import { type ApiError, cardError, invalid } from '../../protocol/errors.ts'
import type { WireObject } from '../../protocol/wire-object.ts'
import { emitChange, type Store } from '../../store/store.ts'
import { apiErrorOfOutcome, type ChargeOutcome, requireOwnCard } from '../customers/payment-method.ts'
import { confirmIntent, toWirePaymentIntent } from '../payments/payment-intent.ts'
import { daySeconds } from '../products/periods.ts'
import { emitInvoice, finalizeInvoice, markInvoicePaid } from './invoice.rules.ts'
import { type InvoiceRecord, toWireInvoice } from './invoice.ts'
import type { SubscriptionRecord } from './subscription.ts'
import { applyLastRetryPolicy, applyPayment, markPastDue } from './subscription-status.ts'

/** Days until the next retry. After the last retry the subscription's end is decided. */
const retryDays = [3, 5, 7]

type Options = {
  paymentMethodId?: string | null | undefined
  /** The cardholder was just authenticated. */
  isAuthenticated?: boolean
  /** A scheduled retry, which advances the retry schedule. */
  isScheduled?: boolean
}

export type PaymentOutcome = { invoice: InvoiceRecord; answer: ChargeOutcome | { kind: 'no-card' } }

/**
 * Tries to pay an invoice, finalizing a draft first, and updates the status of its subscription. Throws only for
 * missing records.
 */
export function tryInvoice(store: Store, id: string, options: Options = {}): PaymentOutcome {
  const found = store.of('invoice').get(id)
  const open = found.status === 'draft' ? finalizeInvoice(store, id) : found
  if (open.status === 'paid') {
    applyPayment(store, open)
    return { invoice: open, answer: { kind: 'paid' } }
  }
  const cardId = options.paymentMethodId ?? cardOf(store, open)
  if (!open.paymentIntentId || !cardId) return refused(store, open, { kind: 'no-card' }, options)
  const { isAuthenticated = false } = options
  const answer = confirmIntent(store, open.paymentIntentId, cardId, { isAuthenticated })
  if (answer.kind !== 'paid') return refused(store, open, answer, options)
  const attemptCount = attemptsOf(open, options)
  const paid = markInvoicePaid(store, { ...open, attemptCount }, open.amountDue)
  applyPayment(store, paid)
  return { invoice: paid, answer }
}

/** Pays an invoice as `POST /v1/invoices/:id/pay` does. Throws the decline, after storing the failed try. */
export function payInvoice(store: Store, id: string, options: Options = {}): InvoiceRecord {
  const before = requirePayable(store, id)
  if (options.paymentMethodId) {
    requireOwnCard(store, options.paymentMethodId, before.customerId, 'payment_method')
  }
  if (!options.paymentMethodId && !cardOf(store, before) && before.amountDue > 0) {
    throw invalid(
      'There is no `default_payment_method` set on this Customer or Invoice. Please set either an invoice, subscription, or customer default payment method.',
    )
  }
  const { invoice, answer } = tryInvoice(store, id, options)
  if (answer.kind === 'needs-authentication') {
    const extras = intentOf(store, invoice.paymentIntentId)
    throw cardError('invoice_payment_intent_requires_action', needsAction, { extras })
  }
  const fault =
    answer.kind === 'no-card'
      ? undefined
      : apiErrorOfOutcome(answer, intentOf(store, invoice.paymentIntentId))
  if (fault) throw fault
  return invoice
}

function cardOf(store: Store, { subscriptionId }: InvoiceRecord): string | null {
  return payingCardId(store, store.of('subscription').get(subscriptionId))
}

function requirePayable(store: Store, id: string): InvoiceRecord {
  const invoice = store.of('invoice').get(id)
  if (invoice.status === 'paid') throw invalid('Invoice is already paid')
  if (invoice.status === 'void') throw invalid('This invoice can no longer be paid')
  return invoice
}

/** Returns the error fields about a declined payment. */
function intentOf(store: Store, intentId: string | null): WireObject {
  const intent = intentId ? store.of('paymentIntent').find(intentId) : undefined
  if (!intent) return {}
  const charge = intent.latestChargeId ? { charge: intent.latestChargeId } : {}
  return { ...charge, payment_intent: toWirePaymentIntent(store, intent) }
}

const needsAction =
  'This payment requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with the invoice.'

function refused(
  store: Store,
  open: InvoiceRecord,
  answer: PaymentOutcome['answer'],
  options: Options,
): PaymentOutcome {
  const attemptCount = attemptsOf(open, options)
  const isFirst = !open.attempted
  const days = retryDays[attemptCount - 1]
  const isRetried = open.autoAdvance && open.billingReason !== 'subscription_create'
  const now = store.now(open.testClockId)
  const next = isRetried && days !== undefined ? now + days * daySeconds : null
  const isMoved = isFirst || options.isScheduled
  const invoice = store.of('invoice').put({
    ...open,
    attempted: true,
    attemptCount,
    nextPaymentAttempt: isMoved ? next : open.nextPaymentAttempt,
  })
  const [earlier, later] = [toWireInvoice(store, open), toWireInvoice(store, invoice)]
  emitChange(store, 'invoice.updated', earlier, later, invoice.testClockId)
  emitInvoice(store, 'invoice.payment_failed', invoice)
  if (answer.kind === 'needs-authentication') emitInvoice(store, 'invoice.payment_action_required', invoice)
  markPastDue(store, invoice)
  if (isRetried && isMoved && next === null) applyLastRetryPolicy(store, invoice)
  return { invoice, answer }
}

function attemptsOf({ attempted, attemptCount }: InvoiceRecord, { isScheduled }: Options) {
  return attempted && !isScheduled ? attemptCount : attemptCount + 1
}

/** Returns the default card: the subscription's, else the customer's. */
export function payingCardId(
  store: Store,
  { customerId, defaultPaymentMethodId }: Pick<SubscriptionRecord, 'customerId' | 'defaultPaymentMethodId'>,
): string | null {
  return defaultPaymentMethodId ?? store.of('customer').get(customerId).defaultPaymentMethodId
}

export function noCard(): ApiError {
  return invalid(
    'This customer has no attached payment source or default payment method. Please consider adding a default payment method. For more information, visit https://stripe.com/docs/billing/subscriptions/payment-methods-setting#payment-method-priority.',
    { code: 'resource_missing' },
  )
}
