import type Stripe from 'stripe'
import { expect } from 'vitest'
import type { PaymentSite } from '../sites/payment-site.ts'
import { runningStatuses } from './changes.ts'
import type { Customer } from './population.ts'

const charging = ['trialing', 'active', 'past_due']

/** A plan in the member's record, or as derived from Stripe. */
export type Plan = {
  planId: string
  status: string
  active: boolean
  priceId: string
  amount: number
  nextBillingDate: string | null
  cancelAtDate: string | null
}

/** Returns subscriptions with an open or lost dispute. */
export async function disputedSubscriptions({ stripe }: PaymentSite): Promise<Set<string>> {
  const disputed = new Set<string>()
  for await (const { payment_intent: intent, status } of stripe.disputes.list({ limit: 100 })) {
    if (status === 'won') continue
    const { data: payments } = await stripe.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: String(intent) },
    })
    const invoice = await stripe.invoices.retrieve(String(payments[0]?.invoice))
    disputed.add(String(invoice.parent?.subscription_details?.subscription))
  }
  return disputed
}

/** Derives a customer's plans from Stripe's objects. */
export async function expectedPlansOf(
  { stripe }: PaymentSite,
  { id }: Customer,
  { now, graceMs, disputed }: { now: Date; graceMs: number; disputed: ReadonlySet<string> },
): Promise<Plan[]> {
  const { data } = await stripe.subscriptions.list({
    customer: id,
    status: 'all',
    limit: 100,
    expand: ['data.items.data.price'],
  })
  const byPlan = new Map<string, Stripe.Subscription>()
  // Newest first; a running subscription replaces any other.
  for (const subscription of data) {
    if (subscription.status.startsWith('incomplete')) continue
    const planId = planIdOf(subscription)
    const known = byPlan.get(planId)
    if (known === undefined || runningStatuses.includes(subscription.status)) byPlan.set(planId, subscription)
  }
  expect(data.filter(({ status }) => runningStatuses.includes(status)).length).toBeLessThanOrEqual(1)
  const plans: Plan[] = []
  for (const [planId, subscription] of byPlan) {
    const { status, items, cancel_at: cancelAt, ended_at: endedAt } = subscription
    const [item] = items.data
    if (item === undefined) throw new Error(`${subscription.id} has no item.`)
    const filter = { subscription: subscription.id, status: 'open' as const, limit: 100 }
    const open = status === 'past_due' ? (await stripe.invoices.list(filter)).data : []
    const unpaidSince = Math.min(...open.map(({ created }) => created * 1_000))
    const isRunning = runningStatuses.includes(status)
    const ends = isRunning ? cancelAt : endedAt
    expect(isRunning && disputed.has(subscription.id)).toBe(false)
    plans.push({
      planId,
      status: status.toUpperCase(),
      active:
        status === 'active' ||
        status === 'trialing' ||
        (status === 'past_due' && now.getTime() < unpaidSince + graceMs),
      priceId: item.price.metadata.price ?? '',
      amount: (item.price.unit_amount ?? 0) / 100,
      nextBillingDate: charging.includes(status) && ends === null ? isoOf(item.current_period_end) : null,
      cancelAtDate: ends === null ? null : isoOf(ends),
    })
  }
  return plans.toSorted(byPlanId)
}

/** Returns the plans of a member's record. */
export async function recordedPlansOf({ site }: PaymentSite, { memberId }: Customer): Promise<Plan[]> {
  const { apps, members } = site.context
  const { planConnections } = await members.get(await apps.siteApp(), memberId)
  return planConnections
    .map(({ planId, status, active, payment }) => ({
      planId,
      status,
      active,
      priceId: payment?.priceId ?? '',
      amount: payment?.amount ?? 0,
      nextBillingDate: payment?.nextBillingDate ?? null,
      cancelAtDate: payment?.cancelAtDate ?? null,
    }))
    .toSorted(byPlanId)
}

function planIdOf({ items }: Stripe.Subscription): string {
  return items.data[0]?.price.metadata.plan ?? ''
}

function isoOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString()
}

function byPlanId(one: { planId: string }, other: { planId: string }): number {
  return one.planId < other.planId ? -1 : 1
}
