import { invalid } from '../../protocol/errors.ts'
import { emitChange, type Store } from '../../store/store.ts'
import { saveCustomer } from '../customers/customer.ts'
import { useCustomerDiscount } from '../customers/customer-discount.ts'
import { cancelIntent, createPaymentIntent } from '../payments/payment-intent.ts'
import type { DiscountRecord } from '../products/discount.ts'
import { type InvoiceLineRecord, type InvoiceRecord, invoicePayments, toWireInvoice } from './invoice.ts'
import { activeDiscounts, invoiceTotals, withDiscounts, withTaxes } from './invoice-lines.ts'
import { type SubscriptionRecord, updateSubscription } from './subscription.ts'

export type InvoiceInput = {
  /** The id, when it was assigned earlier. */
  id?: string
  subscription: SubscriptionRecord
  billingReason: InvoiceRecord['billingReason']
  lines: InvoiceLineRecord[]
  discounts: DiscountRecord[]
  period: { start: number; end: number }
  autoAdvance?: boolean
  finalizesAt?: number | null
}

/** Returns the invoice of these lines as an unsaved draft. */
export function composeInvoice(store: Store, id: string, input: InvoiceInput): InvoiceRecord {
  const { id: subscriptionId, customerId, testClockId, item, automaticTax } = input.subscription
  const { currency } = store.of('price').get(item.priceId)
  const now = store.now(testClockId)
  const active = activeDiscounts(store, input.discounts, now)
  const discounted = withDiscounts(input.lines, currency, active, (own) => activeDiscounts(store, own, now))
  const lines = automaticTax ? withTaxes(store, discounted) : discounted
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
    finalizesAt: input.finalizesAt ?? null,
    nextPaymentAttempt: null,
    periodStart: input.period.start,
    periodEnd: input.period.end,
    finalizedAt: null,
    paidAt: null,
    voidedAt: null,
    markedUncollectibleAt: null,
    paymentIntentId: null,
    creditedAmount: 0,
    testClockId,
  }
}

/** Creates a draft and uses up its one-time coupons. */
export function draftInvoice(store: Store, input: InvoiceInput): InvoiceRecord {
  const invoice = store.of('invoice').put(composeInvoice(store, input.id ?? store.newId('in'), input))
  store.emit('invoice.created', toWireInvoice(store, invoice), { testClockId: invoice.testClockId })
  applyDiscountsOnce(store, invoice)
  return invoice
}

/**
 * Finalizes a draft and applies the customer's balance. Marks it paid when nothing is due, or else creates a
 * payment intent.
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
  // The invoice number alone emits no event.
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
    finalizesAt: null,
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

/** Marks an open invoice paid and emits its events. */
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

/** Voids an invoice, cancels its payment intent and returns the credit that it used. */
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

/** Marks an open invoice uncollectible. It can still be paid. */
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

/** Returns the discounts after an invoice, without one-time discounts that it used. */
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

/** Returns an item after an invoice, without one-time discounts that it used. */
export function itemAfter<Item extends SubscriptionRecord['item']>(
  store: Store,
  item: Item,
  invoice: Pick<InvoiceRecord, 'lines'>,
): Item {
  return { ...item, discounts: discountsLeft(store, item.discounts ?? [], invoice) }
}

function applyDiscountsOnce(store: Store, invoice: InvoiceRecord) {
  const { id, discounts, item } = store.of('subscription').get(invoice.subscriptionId)
  if (discounts.length === 0) useCustomerDiscount(store, invoice.customerId, invoice.discounts)
  updateSubscription(store, id, {
    discounts: discountsLeft(store, discounts, invoice),
    item: itemAfter(store, item, invoice),
  })
}
