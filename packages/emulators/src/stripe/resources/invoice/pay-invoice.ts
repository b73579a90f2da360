import { cardError, invalid } from '../../protocol/errors.ts'
import type { WireObject } from '../../protocol/wire-object.ts'
import { emitChange } from '../../store/emit-change.ts'
import type { World } from '../../store/store.ts'
import { toWirePaymentIntent } from '../charge/charge.ts'
import { type CardAnswer, confirmIntent, faultOfAnswer } from '../payment-intent/payment-intent.ts'
import { requireOwnCard } from '../payment-method/payment-method.ts'
import { daySeconds } from '../price/periods.ts'
import { finishRetries, settle, updateStanding } from '../subscription/subscription-status.ts'
import type { InvoiceRecord } from './invoice.record.ts'
import { finalizeInvoice, markInvoicePaid, tellOfInvoice } from './invoice.rules.ts'
import { toWireInvoice } from './invoice.ts'
import { payingCardId } from './paying-card.ts'

/** After each refusal the next try is so many days later; after the last one the subscription's end is decided. */
const retryDays = [3, 5, 7]

type Options = {
  paymentMethodId?: string | null | undefined
  /** The card's holder has just proved to be the holder. */
  isAuthenticated?: boolean
  /** A try by the calendar, which moves the retries on; others leave them as they are. */
  isScheduled?: boolean
}

/** What came of a try: the card's answer, or that there was no card. */
export type PaymentOutcome = { invoice: InvoiceRecord; answer: CardAnswer | { kind: 'no-card' } }

/**
 * Tries to pay an invoice that is open (a draft is opened first), and brings its subscription to where that leads:
 * active, or past due, or, after the last retry, ended. Throws nothing but for what is missing.
 */
export function tryInvoice(world: World, id: string, options: Options = {}): PaymentOutcome {
  const found = world.of('invoice').get(id)
  const open = found.status === 'draft' ? finalizeInvoice(world, id) : found
  if (open.status === 'paid') {
    settle(world, open)
    return { invoice: open, answer: { kind: 'paid' } }
  }
  const cardId = options.paymentMethodId ?? cardOf(world, open)
  if (!open.paymentIntentId || !cardId) return refused(world, open, { kind: 'no-card' }, options)
  const { isAuthenticated = false } = options
  const answer = confirmIntent(world, open.paymentIntentId, cardId, { isAuthenticated })
  if (answer.kind !== 'paid') return refused(world, open, answer, options)
  const attemptCount = attemptsOf(open, options)
  const paid = markInvoicePaid(world, { ...open, attemptCount }, open.amountDue)
  settle(world, paid)
  return { invoice: paid, answer }
}

/**
 * Pays an invoice as `POST /v1/invoices/:id/pay` does, by a card of its customer's. Throws the card's refusal, of which
 * everything else is kept.
 */
export function payInvoice(world: World, id: string, options: Options = {}): InvoiceRecord {
  const before = requirePayable(world, id)
  if (options.paymentMethodId) {
    requireOwnCard(world, options.paymentMethodId, before.customerId, 'payment_method')
  }
  if (!options.paymentMethodId && !cardOf(world, before) && before.amountDue > 0) {
    throw invalid(
      'There is no `default_payment_method` set on this Customer or Invoice. Please set either an invoice, subscription, or customer default payment method.',
    )
  }
  const { invoice, answer } = tryInvoice(world, id, options)
  if (answer.kind === 'needs-authentication') {
    const extras = intentOf(world, invoice.paymentIntentId)
    throw cardError('invoice_payment_intent_requires_action', needsAction, { extras })
  }
  const fault =
    answer.kind === 'no-card' ? undefined : faultOfAnswer(answer, intentOf(world, invoice.paymentIntentId))
  if (fault) throw fault
  return invoice
}

function cardOf(world: World, { subscriptionId }: InvoiceRecord): string | null {
  return payingCardId(world, world.of('subscription').get(subscriptionId))
}

function requirePayable(world: World, id: string): InvoiceRecord {
  const invoice = world.of('invoice').get(id)
  if (invoice.status === 'paid') throw invalid('Invoice is already paid')
  if (invoice.status === 'void') throw invalid('This invoice can no longer be paid')
  return invoice
}

/** What a refusal says about the payment that it ended. */
function intentOf(world: World, intentId: string | null): WireObject {
  const intent = intentId ? world.of('paymentIntent').find(intentId) : undefined
  if (!intent) return {}
  const charge = intent.latestChargeId ? { charge: intent.latestChargeId } : {}
  return { ...charge, payment_intent: toWirePaymentIntent(world, intent) }
}

const needsAction =
  'This payment requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with the invoice.'

function refused(
  world: World,
  open: InvoiceRecord,
  answer: PaymentOutcome['answer'],
  options: Options,
): PaymentOutcome {
  const attemptCount = attemptsOf(open, options)
  const isFirst = !open.attempted
  const days = retryDays[attemptCount - 1]
  const isRetried = open.autoAdvance && open.billingReason !== 'subscription_create'
  const now = world.now(open.testClockId)
  const next = isRetried && days !== undefined ? now + days * daySeconds : null
  const isMoved = isFirst || options.isScheduled
  const invoice = world.of('invoice').put({
    ...open,
    attempted: true,
    attemptCount,
    nextPaymentAttempt: isMoved ? next : open.nextPaymentAttempt,
  })
  const [earlier, later] = [toWireInvoice(world, open), toWireInvoice(world, invoice)]
  emitChange(world, 'invoice.updated', earlier, later, invoice.testClockId)
  tellOfInvoice(world, 'invoice.payment_failed', invoice)
  if (answer.kind === 'needs-authentication') tellOfInvoice(world, 'invoice.payment_action_required', invoice)
  updateStanding(world, invoice)
  if (isRetried && isMoved && next === null) finishRetries(world, invoice)
  return { invoice, answer }
}

function attemptsOf({ attempted, attemptCount }: InvoiceRecord, { isScheduled }: Options) {
  return attempted && !isScheduled ? attemptCount : attemptCount + 1
}
