import { invalid } from '../../protocol/errors.ts'
import { emitChange, type Store } from '../../store/store.ts'
import type { DiscountRecord } from '../coupon/discount.ts'
import { saveCustomer } from '../customer/customer.ts'
import { cancelIntent, createPaymentIntent } from '../payment-intent/payment-intent.ts'
import { type SubscriptionRecord, updateSubscription } from '../subscription/subscription.ts'
import { type InvoiceLineRecord, type InvoiceRecord, invoicePayments, toWireInvoice } from './invoice.ts'
import { activeDiscounts, invoiceTotals, withDiscounts } from './invoice-lines.ts'

export type InvoiceInput = {
  /** Its id, when something named it before it was made. */
  id?: string
  subscription: SubscriptionRecord
  billingReason: InvoiceRecord['billingReason']
  lines: InvoiceLineRecord[]
  discounts: DiscountRecord[]
  period: { start: number; end: number }
  autoAdvance?: boolean
}

/** What an invoice of these lines would be, as a draft that nobody keeps: for previews too. */
export function composeInvoice(store: Store, id: string, input: InvoiceInput): InvoiceRecord {
  const { id: subscriptionId, customerId, testClockId, item } = input.subscription
  const { currency } = store.of('price').get(item.priceId)
  const now = store.now(testClockId)
  const active = activeDiscounts(store, input.discounts, now)
  const lines = withDiscounts(input.lines, currency, active)
  const { subtotal, total } = invoiceTotals(lines)
  const startingBalance = store.of('customer').get(customerId, 'customer').balance
  const amountDue = Math.max(0, total + startingBalance)
  return {
    id,
    created: now,
    metadata: {},
    customerId,
    subscriptionId,
    status: 'draft',
    billingReason: input.billingReason,
    currency,
    number: null,
    lines,
    discounts: active.map(({ discount }) => discount),
    subtotal,
    total,
    startingBalance,
    endingBalance: null,
    amountDue,
    amountPaid: 0,
    amountRemaining: amountDue,
    attemptCount: 0,
    attempted: false,
    autoAdvance: input.autoAdvance ?? true,
    nextPaymentAttempt: null,
    periodStart: input.period.start,
    periodEnd: input.period.end,
    finalizedAt: null,
    paidAt: null,
    voidedAt: null,
    markedUncollectibleAt: null,
    paymentIntentId: null,
    testClockId,
  }
}

/** Makes a draft, and uses up coupons that lower one invoice only. */
export function draftInvoice(store: Store, input: InvoiceInput): InvoiceRecord {
  const invoice = store.of('invoice').put(composeInvoice(store, input.id ?? store.newId('in'), input))
  store.emit('invoice.created', toWireInvoice(store, invoice), { testClockId: invoice.testClockId })
  applyDiscountsOnce(store, invoice)
  return invoice
}

/**
 * Gives a draft its number and opens it. The customer's balance is used up or added to. With nothing due it is paid
 * at once; else a payment intent waits for a card.
 */
export function finalizeInvoice(store: Store, id: string): InvoiceRecord {
  const draft = store.of('invoice').get(id)
  if (draft.status !== 'draft') {
    throw invalid("This invoice is already finalized, you can't re-finalize a non-draft invoice.", {
      code: 'invoice_not_editable',
    })
  }
  const customer = store.of('customer').get(draft.customerId)
  const now = store.now(draft.testClockId)
  const amountDue = Math.max(0, draft.total + customer.balance)
  const endingBalance = draft.total + customer.balance - amountDue
  // The number alone is not told of.
  const numbered = store
    .of('customer')
    .put({ ...customer, nextInvoiceNumber: customer.nextInvoiceNumber + 1 })
  saveCustomer(store, numbered, { ...numbered, balance: endingBalance })
  const open = store.of('invoice').put({
    ...draft,
    status: 'open',
    number: `${customer.invoicePrefix}-${String(customer.nextInvoiceNumber).padStart(4, '0')}`,
    finalizedAt: now,
    startingBalance: customer.balance,
    endingBalance,
    amountDue,
    amountRemaining: amountDue,
    nextPaymentAttempt: null,
  })
  if (amountDue === 0) {
    emitInvoice(store, 'invoice.finalized', open)
    return markInvoicePaid(store, open, 0)
  }
  const intent = createPaymentIntent(store, {
    customerId: open.customerId,
    amount: amountDue,
    currency: open.currency,
    invoiceId: open.id,
  })
  const withIntent = store.of('invoice').put({ ...open, paymentIntentId: intent.id })
  emitInvoice(store, 'invoice.finalized', withIntent)
  return withIntent
}

/** An open invoice is paid: told of as `invoice.paid` and `invoice.payment_succeeded`. */
export function markInvoicePaid(store: Store, open: InvoiceRecord, amountPaid: number): InvoiceRecord {
  const invoice = store.of('invoice').put({
    ...open,
    status: 'paid',
    attempted: true,
    autoAdvance: false,
    amountPaid,
    amountRemaining: 0,
    nextPaymentAttempt: null,
    paidAt: store.now(open.testClockId),
  })
  const [earlier, now] = [toWireInvoice(store, open), toWireInvoice(store, invoice)]
  emitChange(store, 'invoice.updated', earlier, now, invoice.testClockId)
  for (const payment of invoicePayments(invoice).data)
    store.emit('invoice_payment.paid', payment, { testClockId: invoice.testClockId })
  emitInvoice(store, 'invoice.paid', invoice)
  emitInvoice(store, 'invoice.payment_succeeded', invoice)
  return invoice
}

/** Gives an open invoice up; its payment intent is cancelled, and credit that it had used up is the customer's again. */
export function voidInvoice(store: Store, id: string): InvoiceRecord {
  const before = store.of('invoice').get(id)
  if (before.status !== 'open' && before.status !== 'uncollectible') {
    throw invalid(`You can only pass in open invoices. This invoice isn't open.`, {
      code: 'invoice_not_editable',
    })
  }
  if (before.paymentIntentId) {
    if (store.of('paymentIntent').get(before.paymentIntentId).status === 'processing')
      throw invalid('This invoice has a payment that is processing.', { code: 'invoice_not_editable' })
    cancelIntent(store, before.paymentIntentId)
  }
  returnCredit(store, before)
  const invoice = store.of('invoice').put({
    ...before,
    status: 'void',
    voidedAt: store.now(before.testClockId),
    autoAdvance: false,
    nextPaymentAttempt: null,
  })
  emitInvoice(store, 'invoice.voided', invoice)
  return invoice
}

/** Writes an open invoice off. It can still be paid. */
export function markUncollectible(store: Store, id: string): InvoiceRecord {
  const before = store.of('invoice').get(id)
  if (before.status !== 'open') {
    throw invalid(`You can only pass in open invoices. This invoice isn't open.`, {
      code: 'invoice_not_editable',
    })
  }
  const invoice = store.of('invoice').put({
    ...before,
    status: 'uncollectible',
    markedUncollectibleAt: store.now(before.testClockId),
    autoAdvance: false,
    nextPaymentAttempt: null,
  })
  emitInvoice(store, 'invoice.marked_uncollectible', invoice)
  return invoice
}

export function emitInvoice(store: Store, type: string, invoice: InvoiceRecord): void {
  store.emit(type, toWireInvoice(store, invoice), { testClockId: invoice.testClockId })
}

function returnCredit(store: Store, { customerId, startingBalance, endingBalance }: InvoiceRecord) {
  const customer = store.of('customer').get(customerId)
  const used = endingBalance === null ? 0 : startingBalance - endingBalance
  saveCustomer(store, customer, { ...customer, balance: customer.balance + used })
}

/** The discounts that go on after an invoice: what lowers one invoice only leaves with it. */
export function discountsLeft(
  store: Store,
  discounts: DiscountRecord[],
  { lines }: Pick<InvoiceRecord, 'lines'>,
): DiscountRecord[] {
  const used = new Set(
    lines.flatMap(({ discountAmounts }) => discountAmounts.map(({ discountId }) => discountId)),
  )
  return discounts
    .map((discount) =>
      used.has(discount.id) ? { ...discount, timesUsed: discount.timesUsed + 1 } : discount,
    )
    .filter(
      ({ couponId, timesUsed }) => timesUsed === 0 || store.of('coupon').find(couponId)?.duration !== 'once',
    )
}

function applyDiscountsOnce(store: Store, invoice: InvoiceRecord) {
  const { id, discounts } = store.of('subscription').get(invoice.subscriptionId)
  updateSubscription(store, id, { discounts: discountsLeft(store, discounts, invoice) })
}
