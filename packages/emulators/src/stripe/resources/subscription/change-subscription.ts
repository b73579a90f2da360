import type { World } from '../../store/store.ts'
import { composeInvoice, discountsLeft, draftInvoice, type InvoiceInput } from '../invoice/invoice.rules.ts'
import { tryInvoice } from '../invoice/pay-invoice.ts'
import { noCard, payingCardId } from '../invoice/paying-card.ts'
import { cardAnswer, faultOfAnswer } from '../payment-intent/payment-intent.ts'
import {
  cancellationPatch,
  discountsAfter,
  plainPatch,
  refuseEnded,
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
export function changeSubscription(world: World, id: string, change: SubscriptionChange): SubscriptionRecord {
  const before = world.of('subscription').get(id)
  refuseEnded(before, change)
  const { lines, ...billed } = planChange(world, before, change)
  const patch = {
    ...billed,
    ...plainPatch(world, before, change),
    ...cancellationPatch(before, billed, change, world.now(before.testClockId)),
  }
  if (lines === undefined)
    return updateSubscription(world, id, { ...patch, discounts: discountsAfter(world, before, change) })
  if (change.paymentBehavior === 'error_if_incomplete') {
    const discounts = discountsAfter(world, before, change, { isPreview: true })
    requirePaid(world, before, { ...invoiceOfChange(world, before, lines), discounts })
  }
  const discounts = discountsAfter(world, before, change)
  const invoice = draftInvoice(world, { ...invoiceOfChange(world, before, lines), discounts })
  const left = discountsLeft(world, discounts, invoice)
  updateSubscription(world, id, { ...patch, discounts: left, latestInvoiceId: invoice.id })
  tryInvoice(world, invoice.id)
  return world.of('subscription').get(id)
}

/** Throws the refusal of the card that would be charged. */
function requirePaid(world: World, subscription: SubscriptionRecord, input: InvoiceInput) {
  if (composeInvoice(world, '', input).amountDue === 0) return
  const cardId = payingCardId(world, subscription)
  if (!cardId) throw noCard()
  const fault = faultOfAnswer(cardAnswer(world.of('paymentMethod').get(cardId)))
  if (fault) throw fault
}
