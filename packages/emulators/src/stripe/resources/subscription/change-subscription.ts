import type { Store } from '../../store/store.ts'
import { composeInvoice, discountsLeft, draftInvoice, type InvoiceInput } from '../invoice/invoice.rules.ts'
import { tryInvoice } from '../invoice/pay-invoice.ts'
import { noCard, payingCardId } from '../invoice/paying-card.ts'
import { apiErrorOfOutcome, chargeOutcome } from '../payment-intent/payment-intent.ts'
import {
  cancellationPatch,
  discountsAfter,
  plainPatch,
  requireChangeable,
  type SubscriptionChange,
} from './change-patch.ts'
import { planChange } from './plan-change.ts'
import { invoiceOfChange } from './preview-change.ts'
import { updateSubscription } from './put-subscription.ts'
import type { SubscriptionRecord } from './subscription.record.ts'

/**
 * Changes a subscription. What the change costs now is invoiced and charged; a refused card leaves the subscription past
 * due, or with `error_if_incomplete` as it was. Throws Stripe's refusals.
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
  const invoice = draftInvoice(store, { ...invoiceOfChange(store, before, lines), discounts })
  const left = discountsLeft(store, discounts, invoice)
  updateSubscription(store, id, { ...patch, discounts: left, latestInvoiceId: invoice.id })
  tryInvoice(store, invoice.id)
  return store.of('subscription').get(id)
}

/** Throws the refusal of the card that would be charged. */
function requirePaid(store: Store, subscription: SubscriptionRecord, input: InvoiceInput) {
  if (composeInvoice(store, '', input).amountDue === 0) return
  const cardId = payingCardId(store, subscription)
  if (!cardId) throw noCard()
  const fault = apiErrorOfOutcome(chargeOutcome(store.of('paymentMethod').get(cardId)))
  if (fault) throw fault
}
