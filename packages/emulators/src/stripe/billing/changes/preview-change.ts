import { invalid, type StripeFault } from '../../protocol/errors.ts'
import type { InvoiceRecord } from '../../records/invoice.ts'
import type { SubscriptionRecord } from '../../records/subscription.ts'
import { nextPeriodItems, periodEndOf, periodStartOf } from '../../rules/item-periods.ts'
import { hasEnded } from '../../rules/running-subscriptions.ts'
import type { World } from '../../world/world.ts'
import { composeInvoice, type InvoiceInput } from '../invoices/invoices.ts'
import { periodLine } from '../invoices/lines.ts'
import { waitingItems } from '../invoices/waiting-items.ts'
import { cancellationPatch, discountsAfter, type SubscriptionChange } from './change-patch.ts'
import { type ChangePlan, planChange } from './planning.ts'

/**
 * The invoice that a change would lead to: the one made with the change, or else the next one at the period's end.
 * Nothing is kept. Throws `invoice_upcoming_none` when no invoice follows.
 */
export function previewChange(world: World, id: string, change: SubscriptionChange = {}): InvoiceRecord {
  const before = world.of('subscription').get(id, 'subscription')
  const { customerId } = before
  if (hasEnded(before)) throw noUpcoming(customerId)
  const plan = planChange(world, before, change)
  const discounts = discountsAfter(world, before, change, { isPreview: true })
  const waiting = waitingItems(world, { customerId, subscriptionId: id }).map(({ line }) => line)
  const input = invoiceOfChange(world, before, plan)
  const previewId = world.newId('upcoming_in')
  if (plan.isInvoicedNow) {
    const lines = [...waiting, ...plan.prorations, ...input.lines]
    return composeInvoice(world, previewId, { ...input, lines, discounts })
  }
  const now = world.now(before.testClockId)
  const { cancelAt } = { ...before, ...cancellationPatch(before, plan, change, now) }
  const end = periodEndOf(plan.items)
  const lines = [...waiting, ...plan.prorations]
  if (cancelAt !== null && cancelAt <= end) {
    if (lines.length === 0) throw noUpcoming(customerId)
  } else {
    const after = { ...before, items: plan.items, billingCycleAnchor: plan.billingCycleAnchor }
    lines.push(...nextPeriodItems(world, after, end).items.map((item) => periodLine(world, before, item)))
  }
  const period = { start: periodStartOf(plan.items), end }
  return world.at(end, before.testClockId, () =>
    composeInvoice(world, previewId, { ...input, billingReason: 'upcoming', lines, discounts, period }),
  )
}

/** The invoice made with a change, without what waits for it. */
export function invoiceOfChange(
  world: World,
  subscription: SubscriptionRecord,
  plan: ChangePlan,
): InvoiceInput {
  const now = world.now(subscription.testClockId)
  const [first] = plan.items
  return {
    customerId: subscription.customerId,
    subscriptionId: subscription.id,
    billingReason: 'subscription_update',
    currency: world.of('price').get(first?.priceId ?? '').currency,
    lines: plan.periods,
    discounts: subscription.discounts,
    period: { start: now, end: now },
  }
}

/** What Stripe says when no invoice follows. */
export function noUpcoming(customerId: string): StripeFault {
  return invalid(`No upcoming invoices for customer: ${customerId}`, {
    code: 'invoice_upcoming_none',
    status: 404,
  })
}
