import type { InvoiceRecord } from '../../records/invoice.ts'
import type { SubscriptionRecord } from '../../records/subscription.ts'
import { toWireSubscription } from '../../wire/subscription.ts'
import type { World } from '../../world/world.ts'
import { cardAnswer, faultOfAnswer } from '../cards/charging.ts'
import { noCard, payingCardId } from '../cards/paying-card.ts'
import { composeInvoice, discountsLeft, draftInvoice, finalizeInvoice } from '../invoices/invoices.ts'
import { keepProrations, waitingItems } from '../invoices/waiting-items.ts'
import { tryInvoice } from '../payments/paying.ts'
import { updateSubscription } from '../standing/put-subscription.ts'
import {
  cancellationPatch,
  discountsAfter,
  plainPatch,
  refuseEnded,
  refuseUnbilled,
  type SubscriptionChange,
} from './change-patch.ts'
import { type ChangePlan, planChange } from './planning.ts'
import { invoiceOfChange } from './preview-change.ts'

/**
 * Changes a subscription. What the change costs now is invoiced and charged; a card that says no leaves the
 * subscription past due, or as `paymentBehavior` has it. Throws Stripe's refusals.
 */
export function changeSubscription(world: World, id: string, change: SubscriptionChange): SubscriptionRecord {
  const before = world.of('subscription').get(id)
  const behaviour = change.paymentBehavior ?? 'allow_incomplete'
  refuseEnded(before, change)
  if (behaviour === 'pending_if_incomplete') refuseUnbilled(change)
  const plan = planChange(world, before, change)
  const patch = {
    ...plainPatch(world, before, change),
    ...cancellationPatch(before, plan, change, world.now(before.testClockId)),
  }
  if (plan.isInvoicedNow && behaviour === 'error_if_incomplete') requirePaid(world, before, plan, change)
  const discounts = discountsAfter(world, before, change)
  const { items, billingCycleAnchor, status, trialStart, trialEnd } = plan
  keepProrations(world, before, plan.prorations)
  if (!plan.isInvoicedNow) {
    const billed = { items, billingCycleAnchor, status, trialStart, trialEnd, discounts }
    return updateSubscription(world, id, { ...patch, ...billed })
  }
  const invoice = draftInvoice(world, { ...invoiceOfChange(world, before, plan), discounts })
  const left = discountsLeft(world, discounts, invoice)
  const billed = { items, billingCycleAnchor, trialStart, trialEnd, discounts: left }
  if (behaviour === 'pending_if_incomplete') return changeWhenPaid(world, before, invoice, billed)
  updateSubscription(world, id, { ...patch, ...billed, status, latestInvoiceId: invoice.id })
  if (behaviour === 'default_incomplete') {
    const open = finalizeInvoice(world, invoice.id)
    if (open.status === 'open') updateSubscription(world, id, { status: 'past_due' })
  } else {
    tryInvoice(world, invoice.id)
  }
  return world.of('subscription').get(id)
}

/** Nothing is changed if the card would say no now. */
function requirePaid(
  world: World,
  subscription: SubscriptionRecord,
  plan: ChangePlan,
  change: SubscriptionChange,
) {
  const input = invoiceOfChange(world, subscription, plan)
  const discounts = discountsAfter(world, subscription, change, { isPreview: true })
  const waiting = waitingItems(world, input).map(({ line }) => line)
  const lines = [...waiting, ...plan.prorations, ...input.lines]
  if (composeInvoice(world, '', { ...input, lines, discounts }).amountDue === 0) return
  const cardId = payingCardId(world, { customerId: subscription.customerId, subscriptionId: subscription.id })
  if (!cardId) throw noCard()
  const fault = faultOfAnswer(cardAnswer(world.of('paymentMethod').get(cardId)))
  if (fault) throw fault
}

const pendingSeconds = 23 * 3_600

type PendingUpdate = NonNullable<SubscriptionRecord['pendingUpdate']>

function changeWhenPaid(
  world: World,
  before: SubscriptionRecord,
  invoice: InvoiceRecord,
  next: Omit<PendingUpdate, 'expiresAt' | 'invoiceId'>,
): SubscriptionRecord {
  const expiresAt = world.now(before.testClockId) + pendingSeconds
  const pendingUpdate = { ...next, expiresAt, invoiceId: invoice.id }
  // Told of only if the payment fails, for else it is over at once.
  world.of('subscription').put({ ...before, latestInvoiceId: invoice.id, pendingUpdate })
  const { answer } = tryInvoice(world, invoice.id)
  const after = world.of('subscription').get(before.id)
  if (answer.kind !== 'paid') {
    world.emit('customer.subscription.updated', toWireSubscription(world, after), {
      previous: { latest_invoice: before.latestInvoiceId, pending_update: null },
      testClockId: after.testClockId,
    })
  }
  return after
}
