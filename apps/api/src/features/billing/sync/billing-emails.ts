import type { Email } from '#features/mail/index.ts'
import type { Subscription } from '#integrations/payments/payment-gateway.ts'
import { wireIntervalOf } from '../prices/catalog.ts'
import type { PriceRow } from '../prices/prices.repository.ts'
import type { ConnectionState, StoredConnection } from './plan-connections.repository.ts'
import { isRunning, type Renewals, renewalKey } from './plan-connections.ts'

/** An email and its cause. The same cause never sends an email twice. */
export type BillingEmail = { email: Email; cause: string }

type Facts = {
  planName(planId: string): string
  /** By Stripe's id. */
  prices: ReadonlyMap<string, PriceRow>
  renewals: Renewals
  graceMs: number
  /** When the stored connections were stored: part of the cause of an email that may be sent again later. */
  storedAt: Date | null
}

type Connections = {
  stored: readonly StoredConnection[]
  wanted: readonly ConnectionState[]
  subscriptions: readonly Subscription[]
}

/** A running subscription's stored connection, null for a new one, and its wanted state. */
type Change = {
  before: StoredConnection | null
  after: ConnectionState
  subscription: Subscription
  facts: Facts
}

/** Returns the emails about a change from the stored connections to the wanted ones. */
export function billingEmailsFor(connections: Connections, facts: Facts): BillingEmail[] {
  const { stored, wanted, subscriptions } = connections
  const before = new Map(stored.map((row) => [row.subscriptionId, row]))
  const byId = new Map(subscriptions.map((subscription) => [subscription.id, subscription]))
  return wanted.flatMap((after) => {
    const row = before.get(after.subscriptionId) ?? null
    const subscription = byId.get(after.subscriptionId)
    const emails =
      subscription === undefined || !isRunning(subscription)
        ? ended(row, after, subscription ?? null, facts)
        : rules.flatMap((rule) => rule({ before: row, after, subscription, facts }))
    return emails.map(({ email, cause }) => ({ email, cause: `${cause} ${after.subscriptionId}` }))
  })
}

function ended(
  before: StoredConnection | null,
  { planId }: ConnectionState,
  subscription: Subscription | null,
  facts: Facts,
): BillingEmail[] {
  if (before === null || before.status === 'CANCELED') return []
  const reason = subscription?.cancelReason ?? null
  const kind = reason === null ? 'subscription-ended' : endedKinds[reason]
  return [{ cause: 'ended', email: { kind, planName: facts.planName(planId) } }]
}

const endedKinds = {
  payment_disputed: 'payment-disputed',
  payment_failed: 'subscription-ended-unpaid',
} as const

/** In the order in which their emails are sent. */
const rules = [begun, changed, unpaid, closed, recovered, scheduled, unscheduled, ending, resumed]

function begun({ before, after, subscription, facts }: Change): BillingEmail[] {
  if (before !== null || !after.active) return []
  const planName = facts.planName(after.planId)
  const invoiceUrl = subscription.latestInvoice?.url ?? null
  const email = {
    kind: 'subscribed',
    planName,
    ...costOf(after, subscription, facts),
    charged: chargedFor(subscription),
    ...nextBillingOf(after),
    invoiceUrl,
  } as const
  return [{ cause: 'subscribed', email }]
}

function changed({ before, after, subscription, facts }: Change): BillingEmail[] {
  if (before === null || before.priceId === null || before.priceId === after.priceId) return []
  const email = {
    kind: 'plan-changed',
    fromPlanName: facts.planName(before.planId),
    toPlanName: facts.planName(after.planId),
    ...costOf(after, subscription, facts),
    charged: chargedFor(subscription),
    ...nextBillingOf(after),
    wasScheduled: before.nextPriceId === after.priceId,
  } as const
  return [{ cause: `changed ${since(facts)}`, email }]
}

function unpaid({ before, after, subscription, facts }: Change): BillingEmail[] {
  const { pastDueAt } = after
  if (pastDueAt === null || before?.pastDueAt?.getTime() === pastDueAt.getTime()) return []
  const openUntil = new Date(pastDueAt.getTime() + facts.graceMs).toISOString()
  const email = {
    kind: 'payment-failed',
    ...owedOf(after, subscription, facts),
    accessUntil: after.active ? openUntil : null,
  } as const
  return [{ cause: `unpaid ${subscription.latestInvoice?.id ?? pastDueAt.getTime()}`, email }]
}

/** The grace period is over or payments are paused. Sends nothing with an email about a new failed payment. */
function closed(change: Change): BillingEmail[] {
  const { before, after, subscription, facts } = change
  const isForMoney = ['PAST_DUE', 'UNPAID', 'PAUSED'].includes(after.status)
  if (before?.active !== true || after.active || !isForMoney || unpaid(change).length > 0) return []
  const email = { kind: 'plan-closed', ...owedOf(after, subscription, facts) } as const
  return [{ cause: `closed ${since(facts)}`, email }]
}

function scheduled({ before, after, subscription, facts }: Change): BillingEmail[] {
  if (after.nextPriceId === null || before?.nextPriceId === after.nextPriceId) return []
  const next = facts.prices.get(subscription.schedule?.nextPriceId ?? '')
  const at = iso(after.periodEndsAt)
  if (next === undefined || at === null) return []
  const email = {
    kind: 'plan-change-scheduled',
    fromPlanName: facts.planName(after.planId),
    toPlanName: facts.planName(next.planId),
    ...costOf(next, subscription, facts, next.id),
    at,
  } as const
  return [{ cause: `scheduled ${since(facts)}`, email }]
}

/** Sends nothing for a change that took effect, or that an upgrade or cancellation replaced: those have emails. */
function unscheduled({ before, after, subscription, facts }: Change): BillingEmail[] {
  const waited = before?.nextPriceId ?? null
  if (waited === null || after.nextPriceId !== null) return []
  if (before?.priceId !== after.priceId || after.endsAt !== null) return []
  const next = [...facts.prices.values()].find(({ priceId }) => priceId === waited)
  const email = {
    kind: 'plan-change-canceled',
    fromPlanName: facts.planName(after.planId),
    toPlanName: facts.planName(next?.planId ?? ''),
    ...costOf(after, subscription, facts),
    ...nextBillingOf(after),
  } as const
  return [{ cause: `unscheduled ${since(facts)}`, email }]
}

function ending({ before, after, facts }: Change): BillingEmail[] {
  if (after.endsAt === null || before?.endsAt?.getTime() === after.endsAt.getTime()) return []
  const planName = facts.planName(after.planId)
  const email = { kind: 'subscription-ending', planName, endsAt: after.endsAt.toISOString() } as const
  return [{ cause: `ending ${since(facts)}`, email }]
}

function resumed({ before, after, subscription, facts }: Change): BillingEmail[] {
  if (after.endsAt !== null || before === null) return []
  if (before.endsAt === null || before.status === 'CANCELED') return []
  const planName = facts.planName(after.planId)
  // Canceling drops a scheduled change, so the price may be another one than was announced.
  const cost = costOf(after, subscription, facts)
  const email = { kind: 'subscription-resumed', planName, ...nextBillingOf(after), cost } as const
  return [{ cause: `resumed ${since(facts)}`, email }]
}

function costOf(
  { amount, currency, interval }: Pick<PriceRow, 'amount' | 'currency' | 'interval'>,
  subscription: Subscription,
  { renewals }: Facts,
  priceId = subscription.priceId,
) {
  const renewal = renewals.get(renewalKey(subscription, priceId))
  const amounts = renewal === undefined ? { amount } : renewal
  return { ...amounts, currency, interval: wireIntervalOf(interval) }
}

/** Returns the amount charged for the current price; null before its first invoice. */
function chargedFor({ latestInvoice, priceId }: Subscription): number | null {
  return latestInvoice?.isPaid && latestInvoice.priceIds.includes(priceId) ? latestInvoice.amount : null
}

function owedOf(after: ConnectionState, { latestInvoice }: Subscription, facts: Facts) {
  const { amount, currency } = latestInvoice?.isPaid === false ? latestInvoice : after
  const payUrl = latestInvoice?.isPaid === false ? latestInvoice.url : null
  return { planName: facts.planName(after.planId), amount, currency, payUrl }
}

function nextBillingOf({ status, endsAt, periodEndsAt }: ConnectionState) {
  const isBilled = endsAt === null && ['ACTIVE', 'TRIALING', 'PAST_DUE'].includes(status)
  return { nextBillingDate: isBilled ? iso(periodEndsAt) : null }
}

/** Names the stored state that a change starts from. */
function since({ storedAt }: Facts): string {
  return iso(storedAt) ?? 'never'
}

function iso(date: Date | null): string | null {
  return date?.toISOString() ?? null
}

const owing = new Set(['PAST_DUE', 'UNPAID', 'PAUSED'])

/** A failed payment has succeeded, or the plan is open again: one email. An email about another price says it too. */
function recovered({ before, after, subscription, facts }: Change): BillingEmail[] {
  if (before === null || !after.active || after.pastDueAt !== null || before.priceId !== after.priceId)
    return []
  const wasClosed = !before.active && owing.has(before.status)
  const { latestInvoice } = subscription
  // The merchant may also have voided the invoice.
  const paid = latestInvoice?.isPaid === true ? latestInvoice : null
  if (!wasClosed && (before.pastDueAt === null || paid === null)) return []
  const email = {
    kind: wasClosed ? 'plan-reopened' : 'payment-received',
    planName: facts.planName(after.planId),
    ...costOf(after, subscription, facts),
    charged: paid?.amount ?? null,
    ...nextBillingOf(after),
    invoiceUrl: paid?.url ?? null,
  } as const
  return [{ cause: `recovered ${latestInvoice?.id ?? iso(before.pastDueAt ?? before.periodEndsAt)}`, email }]
}
