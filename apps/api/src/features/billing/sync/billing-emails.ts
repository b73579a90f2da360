import type { Email } from '#features/mail/index.ts'
import type { Subscription } from '#integrations/payments/payment-gateway.ts'
import { wireIntervalOf } from '../prices/catalogue.ts'
import type { PriceRow } from '../prices/prices.repository.ts'
import type { ConnectionState, StoredConnection } from './plan-connections.repository.ts'
import { isRunning } from './plan-connections.ts'
import { type Renewals, renewalKey } from './renewals.ts'

/** A notice, and what it is told of: of one cause it is told once, however often the cause is found. */
export type BillingEmail = { notice: Email; cause: string }

type Names = {
  planName(planId: string): string
  /** By the payment service's id. */
  prices: ReadonlyMap<string, PriceRow>
  renewals: Renewals
  graceMs: number
  /** The reading that found it: what can happen again is told again. */
  reading: number
}

type Found = {
  stored: readonly StoredConnection[]
  wanted: readonly ConnectionState[]
  subscriptions: readonly Subscription[]
}

/** A running subscription's connection as it was, null for none, and as it is to be. */
type Step = {
  before: StoredConnection | null
  after: ConnectionState
  subscription: Subscription
  names: Names
}

/** What a member is told when their stored connections become the wanted ones. */
export function billingEmailsFor({ stored, wanted, subscriptions }: Found, names: Names): BillingEmail[] {
  const before = new Map(stored.map((row) => [row.subscriptionId, row]))
  const byId = new Map(subscriptions.map((subscription) => [subscription.id, subscription]))
  return wanted.flatMap((after) => {
    const row = before.get(after.subscriptionId) ?? null
    const subscription = byId.get(after.subscriptionId)
    const told =
      subscription === undefined || !isRunning(subscription)
        ? ended(row, after, subscription ?? null, names)
        : causes.flatMap((tell) => tell({ before: row, after, subscription, names }))
    return told.map(({ notice, cause }) => ({ notice, cause: `${cause} ${after.subscriptionId}` }))
  })
}

function ended(
  before: StoredConnection | null,
  { planId }: ConnectionState,
  subscription: Subscription | null,
  names: Names,
): BillingEmail[] {
  if (before === null || before.status === 'CANCELED') return []
  const reason = subscription?.cancelReason ?? null
  const kind = reason === null ? 'subscription-ended' : endedKinds[reason]
  return [{ cause: 'ended', notice: { kind, planName: names.planName(planId) } }]
}

const endedKinds = {
  payment_disputed: 'payment-disputed',
  payment_failed: 'subscription-ended-unpaid',
} as const

/** In the order in which they are told. */
const causes = [begun, changed, unpaid, closed, scheduled, unscheduled, ending, resumed]

function begun({ before, after, subscription, names }: Step): BillingEmail[] {
  if (before !== null || !after.active) return []
  const planName = names.planName(after.planId)
  const invoiceUrl = subscription.latestInvoice?.url ?? null
  const notice = {
    kind: 'subscribed',
    planName,
    ...costOf(after, subscription, names),
    charged: chargedFor(subscription),
    ...nextBillingOf(after),
    invoiceUrl,
  } as const
  return [{ cause: 'subscribed', notice }]
}

function changed({ before, after, subscription, names }: Step): BillingEmail[] {
  if (before === null || before.priceId === null || before.priceId === after.priceId) return []
  const notice = {
    kind: 'plan-changed',
    fromPlanName: names.planName(before.planId),
    toPlanName: names.planName(after.planId),
    ...costOf(after, subscription, names),
    charged: chargedFor(subscription),
    ...nextBillingOf(after),
    wasScheduled: before.nextPriceId === after.priceId,
  } as const
  return [{ cause: `changed ${names.reading}`, notice }]
}

function unpaid({ before, after, subscription, names }: Step): BillingEmail[] {
  const { pastDueAt } = after
  if (pastDueAt === null || before?.pastDueAt?.getTime() === pastDueAt.getTime()) return []
  const openUntil = new Date(pastDueAt.getTime() + names.graceMs).toISOString()
  const notice = {
    kind: 'payment-failed',
    ...owedOf(after, subscription, names),
    accessUntil: after.active ? openUntil : null,
  } as const
  return [{ cause: `unpaid ${subscription.latestInvoice?.id ?? pastDueAt.getTime()}`, notice }]
}

/** The time to pay is over, or nobody can pay; what has just failed tells as much itself. */
function closed(step: Step): BillingEmail[] {
  const { before, after, subscription, names } = step
  const isForMoney = ['PAST_DUE', 'UNPAID', 'PAUSED'].includes(after.status)
  if (before?.active !== true || after.active || !isForMoney || unpaid(step).length > 0) return []
  const notice = { kind: 'plan-closed', ...owedOf(after, subscription, names) } as const
  return [{ cause: `closed ${names.reading}`, notice }]
}

function scheduled({ before, after, subscription, names }: Step): BillingEmail[] {
  if (after.nextPriceId === null || before?.nextPriceId === after.nextPriceId) return []
  const next = names.prices.get(subscription.schedule?.nextPriceId ?? '')
  const at = iso(after.periodEndsAt)
  if (next === undefined || at === null) return []
  const notice = {
    kind: 'plan-change-scheduled',
    fromPlanName: names.planName(after.planId),
    toPlanName: names.planName(next.planId),
    ...costOf(next, subscription, names, next.id),
    at,
  } as const
  return [{ cause: `scheduled ${names.reading}`, notice }]
}

/** A change that has come, or gave way to an upgrade or to a cancellation, is told of by these. */
function unscheduled({ before, after, subscription, names }: Step): BillingEmail[] {
  const waited = before?.nextPriceId ?? null
  if (waited === null || after.nextPriceId !== null) return []
  if (before?.priceId !== after.priceId || after.endsAt !== null) return []
  const next = [...names.prices.values()].find(({ priceId }) => priceId === waited)
  const notice = {
    kind: 'plan-change-canceled',
    fromPlanName: names.planName(after.planId),
    toPlanName: names.planName(next?.planId ?? ''),
    ...costOf(after, subscription, names),
    ...nextBillingOf(after),
  } as const
  return [{ cause: `unscheduled ${names.reading}`, notice }]
}

function ending({ before, after, names }: Step): BillingEmail[] {
  if (after.endsAt === null || before?.endsAt?.getTime() === after.endsAt.getTime()) return []
  const planName = names.planName(after.planId)
  const notice = { kind: 'subscription-ending', planName, endsAt: after.endsAt.toISOString() } as const
  return [{ cause: `ending ${names.reading}`, notice }]
}

function resumed({ before, after, names }: Step): BillingEmail[] {
  if (after.endsAt !== null || before === null) return []
  if (before.endsAt === null || before.status === 'CANCELED') return []
  const planName = names.planName(after.planId)
  const notice = { kind: 'subscription-resumed', planName, ...nextBillingOf(after) } as const
  return [{ cause: `resumed ${names.reading}`, notice }]
}

/** What renewals charge, discounts included where there are any. */
function costOf(
  { amount, currency, interval }: Pick<PriceRow, 'amount' | 'currency' | 'interval'>,
  subscription: Subscription,
  { renewals }: Names,
  priceId = subscription.priceId,
) {
  const renewal = renewals.get(renewalKey(subscription, priceId))
  const amounts = renewal === undefined ? { amount } : renewal
  return { ...amounts, currency, interval: wireIntervalOf(interval) }
}

/** What the price of now was charged with; null when that is still to come. */
function chargedFor({ latestInvoice, priceId }: Subscription): number | null {
  return latestInvoice?.isPaid && latestInvoice.priceIds.includes(priceId) ? latestInvoice.amount : null
}

/** What has to be paid, and where. */
function owedOf(after: ConnectionState, { latestInvoice }: Subscription, names: Names) {
  const { amount, currency } = latestInvoice?.isPaid === false ? latestInvoice : after
  const payUrl = latestInvoice?.isPaid === false ? latestInvoice.url : null
  return { planName: names.planName(after.planId), amount, currency, payUrl }
}

function nextBillingOf({ status, endsAt, periodEndsAt }: ConnectionState) {
  const isBilled = endsAt === null && ['ACTIVE', 'TRIALING', 'PAST_DUE'].includes(status)
  return { nextBillingDate: isBilled ? iso(periodEndsAt) : null }
}

function iso(date: Date | null): string | null {
  return date?.toISOString() ?? null
}
