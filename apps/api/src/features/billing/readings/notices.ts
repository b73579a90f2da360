import type { Subscription } from '../../../integrations/payments/payment-gateway.ts'
import type { Notice } from '../../notices/index.ts'
import { wireIntervalOf } from '../prices/catalogue.ts'
import type { PriceRow } from '../prices/prices.repository.ts'
import type { ConnectionState, StoredConnection } from './connections.repository.ts'
import { isLiving } from './connections.ts'

/** A notice, and what it is told of: of one cause it is told once, however often the cause is found. */
export type CausedNotice = { notice: Notice; cause: string }

type Names = {
  planName(planId: string): string
  /** By the payment service's id. */
  prices: ReadonlyMap<string, PriceRow>
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
export function noticesOf({ stored, wanted, subscriptions }: Found, names: Names): CausedNotice[] {
  const before = new Map(stored.map((row) => [row.subscriptionId, row]))
  const byId = new Map(subscriptions.map((subscription) => [subscription.id, subscription]))
  return wanted.flatMap((after) => {
    const row = before.get(after.subscriptionId) ?? null
    const subscription = byId.get(after.subscriptionId)
    const told =
      subscription === undefined || !isLiving(subscription)
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
): CausedNotice[] {
  if (before === null || before.status === 'CANCELED') return []
  const isDisputed = subscription?.cancelReason === 'payment_disputed'
  const kind = isDisputed ? 'payment-disputed' : 'subscription-ended'
  return [{ cause: 'ended', notice: { kind, planName: names.planName(planId) } }]
}

/** In the order in which they are told. */
const causes = [begun, changed, unpaid, closed, scheduled, ending, resumed]

function begun({ before, after, subscription, names }: Step): CausedNotice[] {
  if (before !== null || !after.active) return []
  const planName = names.planName(after.planId)
  const invoiceUrl = subscription.latestInvoice?.url ?? null
  const notice = {
    kind: 'subscribed',
    planName,
    ...costOf(after),
    ...nextBillingOf(after),
    invoiceUrl,
  } as const
  return [{ cause: 'subscribed', notice }]
}

function changed({ before, after, names }: Step): CausedNotice[] {
  if (before === null || before.priceId === null || before.priceId === after.priceId) return []
  const notice = {
    kind: 'plan-changed',
    fromPlanName: names.planName(before.planId),
    toPlanName: names.planName(after.planId),
    ...costOf(after),
    ...nextBillingOf(after),
    wasScheduled: before.nextPriceId === after.priceId,
  } as const
  return [{ cause: `changed ${names.reading}`, notice }]
}

function unpaid({ before, after, subscription, names }: Step): CausedNotice[] {
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
function closed(step: Step): CausedNotice[] {
  const { before, after, subscription, names } = step
  const isForMoney = ['PAST_DUE', 'UNPAID', 'PAUSED'].includes(after.status)
  if (before?.active !== true || after.active || !isForMoney || unpaid(step).length > 0) return []
  const notice = { kind: 'plan-closed', ...owedOf(after, subscription, names) } as const
  return [{ cause: `closed ${names.reading}`, notice }]
}

function scheduled({ before, after, subscription, names }: Step): CausedNotice[] {
  if (after.nextPriceId === null || before?.nextPriceId === after.nextPriceId) return []
  const next = names.prices.get(subscription.schedule?.nextPriceId ?? '')
  const at = iso(after.periodEndsAt)
  if (next === undefined || at === null) return []
  const notice = {
    kind: 'plan-change-scheduled',
    fromPlanName: names.planName(after.planId),
    toPlanName: names.planName(next.planId),
    ...costOf(next),
    at,
  } as const
  return [{ cause: `scheduled ${names.reading}`, notice }]
}

function ending({ before, after, names }: Step): CausedNotice[] {
  if (after.endsAt === null || before?.endsAt?.getTime() === after.endsAt.getTime()) return []
  const planName = names.planName(after.planId)
  const notice = { kind: 'subscription-ending', planName, endsAt: after.endsAt.toISOString() } as const
  return [{ cause: `ending ${names.reading}`, notice }]
}

function resumed({ before, after, names }: Step): CausedNotice[] {
  if (after.endsAt !== null || before === null) return []
  if (before.endsAt === null || before.status === 'CANCELED') return []
  const planName = names.planName(after.planId)
  const notice = { kind: 'subscription-resumed', planName, ...nextBillingOf(after) } as const
  return [{ cause: `resumed ${names.reading}`, notice }]
}

function costOf({ amount, currency, interval }: Pick<PriceRow, 'amount' | 'currency' | 'interval'>) {
  return { amount, currency, interval: wireIntervalOf(interval) }
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
