import { invalid, resourceMissing } from '../../protocol/errors.ts'
import type { SubscriptionRecord } from '../../records/subscription.ts'
import { nextPeriodEnd } from '../../rules/periods.ts'
import { recurringOf } from '../../rules/price-rules.ts'
import { hasEnded } from '../../rules/running-subscriptions.ts'
import type { World } from '../../world/world.ts'
import { draftInvoice } from '../invoices/invoices.ts'
import { periodLine } from '../invoices/lines.ts'
import { creditLine } from '../invoices/proration.ts'
import { keepProrations } from '../invoices/waiting-items.ts'
import { tryInvoice } from '../payments/paying.ts'
import { endSubscription } from '../standing/end-subscription.ts'
import { updateSubscription } from '../standing/put-subscription.ts'

type Cancellation = {
  /** What waits for an invoice is invoiced now. */
  invoiceNow?: boolean | undefined
  /** The rest of the period is given back, to the customer's balance. */
  prorate?: boolean | undefined
  comment?: string | null | undefined
  feedback?: string | null | undefined
}

/** Ends a subscription at once. One that has ended is not found, as at Stripe. */
export function cancelSubscription(
  world: World,
  id: string,
  { invoiceNow = false, prorate = false, comment, feedback }: Cancellation = {},
): SubscriptionRecord {
  const before = world.of('subscription').get(id)
  const { status, customerId, testClockId } = before
  if (hasEnded(before)) throw resourceMissing('subscription', id)
  const now = world.now(testClockId)
  if (prorate && status !== 'trialing' && status !== 'incomplete') {
    const prorations = before.items.flatMap((item) => creditLine(world, before, item, now) ?? [])
    keepProrations(world, before, prorations)
  }
  const [first] = before.items
  if (invoiceNow && first) {
    const invoice = draftInvoice(world, {
      customerId,
      subscriptionId: id,
      billingReason: 'subscription_update',
      currency: world.of('price').get(first.priceId).currency,
      lines: [],
      discounts: [],
      period: { start: now, end: now },
    })
    updateSubscription(world, id, { latestInvoiceId: invoice.id })
    tryInvoice(world, invoice.id)
  }
  return endSubscription(world, id, {
    reason: 'cancellation_requested',
    comment: comment ?? null,
    feedback: feedback ?? null,
  })
}

/** A paused subscription goes on: a new period begins and is charged, or with `unchanged` the one that runs goes on. */
export function resumeSubscription(
  world: World,
  id: string,
  { billingCycleAnchor = 'now' }: { billingCycleAnchor?: 'now' | 'unchanged' | undefined } = {},
): SubscriptionRecord {
  const before = world.of('subscription').get(id)
  if (before.status !== 'paused') {
    throw invalid(
      `You cannot resume a subscription that is not paused. This subscription has status \`${before.status}\`.`,
    )
  }
  const now = world.now(before.testClockId)
  const anchor = billingCycleAnchor === 'now' ? now : before.billingCycleAnchor
  const end = nextPeriodEnd(anchor, now, recurringOf(world, before.items))
  const items = before.items.map((item) => ({ ...item, currentPeriodStart: now, currentPeriodEnd: end }))
  const [first] = items
  const invoice = draftInvoice(world, {
    customerId: before.customerId,
    subscriptionId: id,
    billingReason: 'subscription_update',
    currency: world.of('price').get(first?.priceId ?? '').currency,
    lines: items.map((item) => periodLine(world, before, item)),
    discounts: before.discounts,
    period: { start: now, end: now },
  })
  const billed = { items, billingCycleAnchor: anchor, latestInvoiceId: invoice.id }
  updateSubscription(world, id, { ...billed, status: 'active' }, 'customer.subscription.resumed')
  tryInvoice(world, invoice.id)
  return world.of('subscription').get(id)
}
