import { invalid } from '../../protocol/errors.ts'
import type { Store } from '../../store/store.ts'
import { billedDiscounts } from '../customers/customer-discount.ts'
import { apiErrorOfOutcome, chargeOutcome } from '../customers/payment-method.ts'
import { composeInvoice, discountsLeft, draftInvoice, type InvoiceInput, itemAfter } from './invoice.rules.ts'
import type { InvoiceLineRecord, InvoiceRecord } from './invoice.ts'
import { periodLine } from './invoice-lines.ts'
import { noCard, payingCardId, tryInvoice } from './pay-invoice.ts'
import {
  cancellationPatch,
  discountsAfter,
  plainPatch,
  planChange,
  requireChangeable,
  type SubscriptionChange,
} from './plan-change.ts'
import { hasEnded, type SubscriptionRecord, updateSubscription } from './subscription.ts'
import { nextPeriod } from './subscription-schedule.ts'

/**
 * Changes a subscription, and invoices and charges the cost. A decline leaves it past due, or unchanged with
 * `error_if_incomplete`.
 */
export function changeSubscription(store: Store, id: string, change: SubscriptionChange): SubscriptionRecord {
  const before = store.of('subscription').get(id)
  requireChangeable(before, change)
  const { lines, ...billed } = planChange(store, before, change)
  const patch = {
    ...billed,
    ...plainPatch(store, before, change),
    ...cancellationPatch(before, billed, change, store.now(before.testClockId)),
  }
  if (lines === undefined)
    return updateSubscription(store, id, { ...patch, discounts: discountsAfter(store, before, change) })
  if (change.paymentBehavior === 'error_if_incomplete') {
    const discounts = discountsAfter(store, before, change, { isPreview: true })
    requirePaid(store, before, { ...invoiceOfChange(store, before, lines), discounts })
  }
  const discounts = discountsAfter(store, before, change)
  const invoice = draftInvoice(store, {
    ...invoiceOfChange(store, before, lines),
    discounts: billedDiscounts(store, { ...before, discounts }),
  })
  const left = discountsLeft(store, discounts, invoice)
  updateSubscription(store, id, {
    ...patch,
    item: itemAfter(store, patch.item, invoice),
    discounts: left,
    latestInvoiceId: invoice.id,
  })
  tryInvoice(store, invoice.id)
  return store.of('subscription').get(id)
}

/** Throws the decline of the card that would be charged. */
function requirePaid(store: Store, subscription: SubscriptionRecord, input: InvoiceInput) {
  if (composeInvoice(store, '', input).amountDue === 0) return
  const cardId = payingCardId(store, subscription)
  if (!cardId) throw noCard()
  const fault = apiErrorOfOutcome(chargeOutcome(store.of('paymentMethod').get(cardId)))
  if (fault) throw fault
}

/**
 * Returns the invoice of a change, or else the next renewal. Stores nothing. Throws `invoice_upcoming_none` when
 * none follows.
 */
export function previewChange(store: Store, id: string, change: SubscriptionChange = {}): InvoiceRecord {
  const before = store.of('subscription').get(id, 'subscription')
  if (hasEnded(before)) throw noUpcoming(before)
  const { lines, ...billed } = planChange(store, before, change)
  const discounts = discountsAfter(store, before, change, { isPreview: true })
  const previewId = store.newId('upcoming_in')
  if (lines) return composeInvoice(store, previewId, { ...invoiceOfChange(store, before, lines), discounts })
  const now = store.now(before.testClockId)
  const { cancelAt } = { ...before, ...cancellationPatch(before, billed, change, now) }
  const { currentPeriodStart: start, currentPeriodEnd: end } = billed.item
  if (cancelAt !== null && cancelAt <= end) throw noUpcoming(before)
  const { item } = nextPeriod(store, { ...before, ...billed }, end)
  return store.at(end, before.testClockId, () =>
    composeInvoice(store, previewId, {
      subscription: before,
      billingReason: 'upcoming',
      lines: [periodLine(store, before, item)],
      discounts,
      period: { start, end },
    }),
  )
}

function invoiceOfChange(
  store: Store,
  subscription: SubscriptionRecord,
  lines: InvoiceLineRecord[],
): InvoiceInput {
  const now = store.now(subscription.testClockId)
  return {
    subscription,
    billingReason: 'subscription_update',
    lines,
    discounts: subscription.discounts,
    period: { start: now, end: now },
  }
}

function noUpcoming({ customerId }: SubscriptionRecord) {
  return invalid(`No upcoming invoices for customer: ${customerId}`, {
    code: 'invoice_upcoming_none',
    status: 404,
  })
}
