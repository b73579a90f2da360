import { invalid } from '../errors.ts'
import type { DiscountRecord, InvoiceItemRecord, InvoiceLineRecord, InvoiceRecord } from '../records.ts'
import { toWireCustomer } from '../wire/customer.ts'
import { toWireInvoice, toWireInvoicePayment } from '../wire/invoice.ts'
import type { World } from '../world.ts'
import { activeDiscounts, totalsOf, withDiscounts } from './amounts.ts'
import { cancelIntent, clockOf, createPaymentIntent } from './charging.ts'
import { tellOfChange, updateSubscription } from './subscription-changes.ts'

export type InvoiceInput = {
  /** Its id, when something named it before it was made. */
  id?: string
  customerId: string
  subscriptionId: string | null
  billingReason: InvoiceRecord['billingReason']
  currency: string
  lines: InvoiceLineRecord[]
  discounts: DiscountRecord[]
  period: { start: number; end: number }
  autoAdvance?: boolean
  /** Whether lines that wait for an invoice come onto it; they do when not said. */
  takesWaiting?: boolean
  description?: string | null
  metadata?: Record<string, string>
}

/** What an invoice of these lines would be, as a draft that nobody keeps: for previews too. */
export function composeInvoice(world: World, id: string, input: InvoiceInput): InvoiceRecord {
  const testClockId = clockOf(world, input.customerId)
  const now = world.now(testClockId)
  const active = activeDiscounts(world, input.discounts, now)
  const lines = withDiscounts(input.lines, input.currency, active)
  const { subtotal, total } = totalsOf(lines)
  const startingBalance = world.of('customer').get(input.customerId, 'customer').balance
  const amountDue = Math.max(0, total + startingBalance)
  return {
    id,
    created: now,
    metadata: input.metadata ?? {},
    customerId: input.customerId,
    subscriptionId: input.subscriptionId,
    status: 'draft',
    billingReason: input.billingReason,
    currency: input.currency,
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
    description: input.description ?? null,
    testClockId,
  }
}

/** Makes a draft, which takes up the lines that wait for it and uses up coupons that lower one invoice only. */
export function draftInvoice(world: World, input: InvoiceInput): InvoiceRecord {
  const waiting = input.takesWaiting === false ? [] : waitingItems(world, input)
  const lines = [...waiting.map(({ line }) => line), ...input.lines]
  const invoice = world
    .of('invoice')
    .put(composeInvoice(world, input.id ?? world.newId('in'), { ...input, lines }))
  for (const item of waiting) world.of('invoiceItem').put({ ...item, invoiceId: invoice.id })
  world.emit('invoice.created', toWireInvoice(world, invoice), { testClockId: invoice.testClockId })
  useDiscounts(world, invoice)
  return invoice
}

/** The lines that the next invoice of a subscription, or of a customer without one, takes up. */
export function waitingItems(
  world: World,
  { customerId, subscriptionId }: Pick<InvoiceInput, 'customerId' | 'subscriptionId'>,
): InvoiceItemRecord[] {
  return world
    .of('invoiceItem')
    .ofCustomer(
      customerId,
      (item) =>
        item.invoiceId === null &&
        !item.deleted &&
        (item.subscriptionId === null || item.subscriptionId === subscriptionId),
    )
    .reverse()
}

/**
 * Gives a draft its number and opens it. The customer's balance is used up or added to. With nothing due it is paid
 * at once; else a payment intent waits for a card.
 */
export function finalizeInvoice(world: World, id: string): InvoiceRecord {
  const draft = world.of('invoice').get(id)
  if (draft.status !== 'draft') {
    throw invalid("This invoice is already finalized, you can't re-finalize a non-draft invoice.", {
      code: 'invoice_not_editable',
    })
  }
  const customer = world.of('customer').get(draft.customerId)
  const now = world.now(draft.testClockId)
  const amountDue = Math.max(0, draft.total + customer.balance)
  const endingBalance = draft.total + customer.balance - amountDue
  const numbered = world
    .of('customer')
    .put({ ...customer, balance: endingBalance, nextInvoiceNumber: customer.nextInvoiceNumber + 1 })
  if (customer.balance !== endingBalance) {
    const [earlier, later] = [toWireCustomer(world, customer), toWireCustomer(world, numbered)]
    tellOfChange(world, 'customer.updated', earlier, later, draft.testClockId)
  }
  const open = world.of('invoice').put({
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
    tellOfInvoice(world, 'invoice.finalized', open)
    return markInvoicePaid(world, open, 0)
  }
  const intent = createPaymentIntent(world, {
    customerId: open.customerId,
    amount: amountDue,
    currency: open.currency,
    invoiceId: open.id,
    description:
      open.billingReason === 'subscription_create' ? 'Subscription creation' : 'Subscription update',
  })
  const withIntent = world.of('invoice').put({ ...open, paymentIntentId: intent.id })
  tellOfInvoice(world, 'invoice.finalized', withIntent)
  return withIntent
}

/** An open invoice is paid: told of as `invoice.paid` and `invoice.payment_succeeded`. */
export function markInvoicePaid(world: World, open: InvoiceRecord, amountPaid: number): InvoiceRecord {
  const invoice = world.of('invoice').put({
    ...open,
    status: 'paid',
    attempted: true,
    autoAdvance: false,
    amountPaid,
    amountRemaining: 0,
    nextPaymentAttempt: null,
    paidAt: world.now(open.testClockId),
  })
  const [earlier, now] = [toWireInvoice(world, open), toWireInvoice(world, invoice)]
  tellOfChange(world, 'invoice.updated', earlier, now, invoice.testClockId)
  if (invoice.paymentIntentId) {
    const { testClockId } = invoice
    world.emit('invoice_payment.paid', toWireInvoicePayment(invoice), { testClockId })
  }
  tellOfInvoice(world, 'invoice.paid', invoice)
  tellOfInvoice(world, 'invoice.payment_succeeded', invoice)
  return invoice
}

/** Gives an open invoice up; its payment intent is cancelled. */
export function voidInvoice(world: World, id: string): InvoiceRecord {
  const before = world.of('invoice').get(id)
  if (before.status !== 'open' && before.status !== 'uncollectible') {
    throw invalid(`You can only pass in open invoices. This invoice isn't open.`, {
      code: 'invoice_not_editable',
    })
  }
  if (before.paymentIntentId) cancelIntent(world, before.paymentIntentId)
  const invoice = world.of('invoice').put({
    ...before,
    status: 'void',
    voidedAt: world.now(before.testClockId),
    autoAdvance: false,
    nextPaymentAttempt: null,
  })
  tellOfInvoice(world, 'invoice.voided', invoice)
  return invoice
}

/** Writes an open invoice off. It can still be paid. */
export function markUncollectible(world: World, id: string): InvoiceRecord {
  const before = world.of('invoice').get(id)
  if (before.status !== 'open') {
    throw invalid(`You can only pass in open invoices. This invoice isn't open.`, {
      code: 'invoice_not_editable',
    })
  }
  const invoice = world.of('invoice').put({
    ...before,
    status: 'uncollectible',
    markedUncollectibleAt: world.now(before.testClockId),
    autoAdvance: false,
    nextPaymentAttempt: null,
  })
  tellOfInvoice(world, 'invoice.marked_uncollectible', invoice)
  return invoice
}

export function tellOfInvoice(world: World, type: string, invoice: InvoiceRecord): void {
  world.emit(type, toWireInvoice(world, invoice), { testClockId: invoice.testClockId })
}

function useDiscounts(world: World, { subscriptionId, lines }: InvoiceRecord) {
  if (!subscriptionId) return
  const used = new Set(
    lines.flatMap(({ discountAmounts }) => discountAmounts.map(({ discountId }) => discountId)),
  )
  if (used.size === 0) return
  const { discounts } = world.of('subscription').get(subscriptionId)
  const counted = discounts.map((discount) =>
    used.has(discount.id) ? { ...discount, timesUsed: discount.timesUsed + 1 } : discount,
  )
  // What lowers one invoice only leaves the subscription with it.
  const left = counted.filter(({ couponId, timesUsed }) => {
    return timesUsed === 0 || world.of('coupon').find(couponId)?.duration !== 'once'
  })
  updateSubscription(world, subscriptionId, { discounts: left })
}
