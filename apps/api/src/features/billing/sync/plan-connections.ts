import { isDeepStrictEqual } from 'node:util'
import type { Renewal, Subscription } from '#integrations/payments/payment-gateway.ts'
import type { CustomerRow } from '../customers/customers.repository.ts'
import { wireIntervalOf } from '../prices/catalog.ts'
import { findPriceOf, type PriceRow } from '../prices/prices.repository.ts'
import {
  type ConnectionState,
  type StoredConnection,
  type StoredRenewal,
  syncedColumns,
} from './plan-connections.repository.ts'

/** Renewal amounts by {@link renewalKey}. */
export type Renewals = ReadonlyMap<string, Renewal>

export function renewalKey({ id }: Pick<Subscription, 'id'>, priceId: string): string {
  return `${id} ${priceId}`
}

/** The input from which a member's paid connections are derived. */
export type ConnectionSource = {
  subscriptions: readonly Subscription[]
  /** By Stripe's id. */
  prices: ReadonlyMap<string, PriceRow>
  now: Date
  graceMs: number
  /** Without previews, the states have no `renewal`. */
  renewals?: Renewals
}

const running = new Set<Subscription['status']>(['trialing', 'active', 'past_due', 'unpaid', 'paused'])

/** How long the invoices of an ended subscription are looked at again, in case one is still charged. */
const watchedMs = 30 * 24 * 3_600_000

/** Returns whether a subscription hasn't ended and may still charge. */
export function isRunning({ status }: Subscription): boolean {
  return running.has(status)
}

/** Returns whether a subscription of ours alone charges a card of its own. */
export function paysWithOwnCard(subscription: Subscription): boolean {
  return isRunning(subscription) && subscription.hasOwnCard && !subscription.isShared
}

/**
 * Returns whether the invoices of a subscription must be looked at: it has ended, and isn't settled or ended within the
 * last 30 days.
 */
export function isToSettle(
  { id, endedAt, isShared }: Pick<Subscription, 'id' | 'endedAt' | 'isShared'>,
  { settledSubscriptionIds }: Pick<CustomerRow, 'settledSubscriptionIds'>,
  now: Date,
): boolean {
  if (endedAt === null || isShared) return false
  return !settledSubscriptionIds.includes(id) || now.getTime() - endedAt.getTime() <= watchedMs
}

export function isInGoodStanding({ status }: Subscription): boolean {
  return status === 'active' || status === 'trialing'
}

/** Returns the subscription to keep if a member pays twice: one in good standing, then the oldest. */
export function chooseRunning(subscriptions: readonly Subscription[]): Subscription | null {
  return subscriptions.filter(isRunning).toSorted(byPriority)[0] ?? null
}

/** Returns the running subscriptions that a member pays besides the one to keep. */
export function duplicatesOf(subscriptions: readonly Subscription[]): Subscription[] {
  const kept = chooseRunning(subscriptions)
  return subscriptions.filter((subscription) => isRunning(subscription) && subscription !== kept)
}

function byPriority(one: Subscription, other: Subscription): number {
  return (
    Number(isInGoodStanding(other)) - Number(isInGoodStanding(one)) ||
    one.createdAt.getTime() - other.createdAt.getTime() ||
    (one.id < other.id ? -1 : 1)
  )
}

/** Returns a member's paid connections, one per plan, from the running subscription or the latest one. */
export function connectionsOf(source: ConnectionSource): ConnectionState[] {
  const byPlan = new Map<string, { subscription: Subscription; price: PriceRow }>()
  for (const subscription of source.subscriptions) {
    const price = findPriceOf(subscription, source.prices)
    if (price === undefined || subscription.status.startsWith('incomplete')) continue
    const rival = byPlan.get(price.planId)?.subscription
    if (rival === undefined || isBefore(subscription, rival))
      byPlan.set(price.planId, { subscription, price })
  }
  return [...byPlan.values()].map(({ subscription, price }) => stateOf(subscription, price, source))
}

function isBefore(one: Subscription, other: Subscription): boolean {
  if (isRunning(one) !== isRunning(other)) return isRunning(one)
  return isRunning(one) ? byPriority(one, other) < 0 : one.createdAt > other.createdAt
}

function stateOf(subscription: Subscription, price: PriceRow, source: ConnectionSource): ConnectionState {
  const { status, latestInvoice, schedule } = subscription
  const pastDueAt = pastDueSince(subscription)
  const hasGrace = pastDueAt !== null && source.now.getTime() < pastDueAt.getTime() + source.graceMs
  const isOpen = isInGoodStanding(subscription) || (status === 'past_due' && hasGrace)
  return {
    planId: price.planId,
    subscriptionId: subscription.id,
    priceId: price.priceId,
    status: status.toUpperCase(),
    active: isOpen,
    amount: subscription.price.amount,
    currency: subscription.price.currency,
    interval: subscription.price.interval,
    lastBilledAt: latestInvoice?.paidAt ?? null,
    periodEndsAt: nextPaymentOf(subscription),
    endsAt: isRunning(subscription) ? subscription.endsAt : subscription.endedAt,
    pastDueAt,
    nextPriceId: nextPriceOf(schedule?.nextPriceId ?? null, subscription, source.prices),
    ...termsOf(subscription, source),
  }
}

function termsOf(
  subscription: Subscription,
  { prices, renewals }: ConnectionSource,
): Pick<StoredTerms, 'adjustedBy'> & Partial<StoredTerms> {
  if (!isInGoodStanding(subscription) || subscription.isCollectionPaused)
    return { adjustedBy: null, renewal: null }
  if (renewals === undefined) return { adjustedBy: subscription.adjustedBy }
  return storedRenewalOf(subscription, prices, renewals)
}

/** The stored terms of a connection's renewals; `adjustedBy` is empty if the next charge is not known. */
type StoredTerms = { renewal: StoredRenewal | null; adjustedBy: string | null }

/** Returns the renewals to store; none for a subscription that renews at its own list price. */
function storedRenewalOf(
  subscription: Subscription,
  prices: ReadonlyMap<string, PriceRow>,
  renewals: Renewals,
): StoredTerms {
  const { schedule, priceId: currentId, periodEndsAt, adjustedBy } = subscription
  const priceId = schedule?.nextPriceId ?? currentId
  const next = prices.get(priceId)
  const renewal = renewals.get(renewalKey(subscription, priceId))
  const interval = wireIntervalOf(
    priceId === currentId ? subscription.price.interval : (next?.interval ?? null),
  )
  if (renewal !== undefined) {
    const { taxBehavior, amounts } = renewal
    return { adjustedBy, renewal: { interval, taxBehavior, amounts } }
  }
  // An empty fingerprint makes reconcile try again.
  if (adjustedBy !== null) return { adjustedBy: '', renewal: null }
  if (priceId === currentId || next === undefined) return { adjustedBy, renewal: null }
  const amounts = [{ from: periodEndsAt.toISOString(), amount: next.amount, tax: 0 }]
  return { adjustedBy, renewal: { interval, taxBehavior: null, amounts } }
}

/** Returns the end of the paid period; null if no payment follows, by its end or because the merchant has paused them. */
function nextPaymentOf(subscription: Subscription): Date | null {
  return isRunning(subscription) && !subscription.isCollectionPaused ? subscription.periodEndsAt : null
}

/** Counts from the oldest unpaid invoice, so that a second one starts no new grace period. */
function pastDueSince({ status, unpaidSince, periodStartsAt }: Subscription): Date | null {
  if (status !== 'past_due' && status !== 'unpaid') return null
  return unpaidSince ?? periodStartsAt
}

function nextPriceOf(
  nextPriceId: string | null,
  subscription: Subscription,
  prices: ConnectionSource['prices'],
): string | null {
  if (nextPriceId === null || nextPriceId === subscription.priceId || !isRunning(subscription)) return null
  return prices.get(nextPriceId)?.priceId ?? null
}

/** Returns the canceled state of connections whose subscription is gone at Stripe, unless another one has the plan. */
export function missingOf(
  stored: readonly StoredConnection[],
  subscriptions: readonly Subscription[],
  wanted: readonly ConnectionState[],
  now: Date,
): ConnectionState[] {
  const known = new Set<string | null>(subscriptions.map(({ id }) => id))
  const plans = new Set(wanted.map(({ planId }) => planId))
  return stored.flatMap((row) => {
    const { planId, subscriptionId, priceId, amount, currency, interval, lastBilledAt } = row
    if (known.has(subscriptionId) || plans.has(planId)) return []
    if (subscriptionId === null || priceId === null || amount === null || currency === null) return []
    const endsAt = row.status === 'CANCELED' ? row.endsAt : now
    return [
      { ...canceled, planId, subscriptionId, priceId, amount, currency, interval, lastBilledAt, endsAt },
    ]
  })
}

const canceled = {
  status: 'CANCELED',
  active: false,
  periodEndsAt: null,
  pastDueAt: null,
  nextPriceId: null,
  adjustedBy: null,
  renewal: null,
}

/** The changes that turn the stored connections into the wanted ones; `before` is null for a new one. */
export type ConnectionChanges = {
  removed: StoredConnection[]
  written: { before: StoredConnection | null; after: ConnectionState }[]
}

/** Compares paid connections by plan. */
export function compareConnections(
  stored: readonly StoredConnection[],
  wanted: readonly ConnectionState[],
): ConnectionChanges {
  const wantedByPlan = new Map(wanted.map((state) => [state.planId, state]))
  const storedByPlan = new Map(stored.map((row) => [row.planId, row]))
  const storedBySubscription = new Map(stored.map((row) => [row.subscriptionId, row]))
  return {
    removed: stored.filter(({ planId }) => !wantedByPlan.has(planId)),
    written: wanted
      .map((after) => ({
        before: storedByPlan.get(after.planId) ?? null,
        after: withLastPayment(storedBySubscription.get(after.subscriptionId), after),
      }))
      .filter(({ before, after }) => before === null || !isSame(before, after)),
  }
}

/** A plan that a sync changed, with its former and new status. */
export type SyncChange = { memberId: string; planId: string; before: string; after: string }

/** Returns the changes of a member's plans as the sync reports them. */
export function syncChangesOf(memberId: string, { removed, written }: ConnectionChanges): SyncChange[] {
  const changes = written.map(({ before, after }) => ({
    memberId,
    planId: after.planId,
    before: before?.status ?? 'none',
    after: after.status,
  }))
  return [
    ...removed.map(({ planId, status }) => ({ memberId, planId, before: status, after: 'none' })),
    ...changes,
  ]
}

export function isSame(before: StoredConnection, after: ConnectionState): boolean {
  const wanted = withLastPayment(before, after)
  const isSameRenewal = wanted.renewal === undefined || isDeepStrictEqual(before.renewal, wanted.renewal)
  return isSameRenewal && syncedColumns.every((key) => comparable(before[key]) === comparable(wanted[key]))
}

/** Keeps the stored time of the last payment while Stripe's latest invoice is unpaid. */
function withLastPayment(before: StoredConnection | undefined, after: ConnectionState): ConnectionState {
  if (after.lastBilledAt !== null || before?.subscriptionId !== after.subscriptionId) return after
  return { ...after, lastBilledAt: before.lastBilledAt }
}

function comparable(
  value: ConnectionState[(typeof syncedColumns)[number]],
): string | number | boolean | null {
  return value instanceof Date ? value.getTime() : value
}
