import type { Subscription } from '#integrations/payments/payment-gateway.ts'
import { findPriceOf, type PriceRow } from '../prices/prices.repository.ts'
import type { ConnectionState, StoredConnection } from './plan-connections.repository.ts'

/** What the truth at the payment service means for a member's plans. */
export type Truth = {
  subscriptions: readonly Subscription[]
  /** By the payment service's id. */
  prices: ReadonlyMap<string, PriceRow>
  now: Date
  graceMs: number
}

const living = new Set<Subscription['status']>(['trialing', 'active', 'past_due', 'unpaid', 'paused'])

/** Whether a subscription still charges, or would as soon as somebody paid. */
export function isRunning({ status }: Subscription): boolean {
  return living.has(status)
}

/** Whether it is paid for, or still free of charge. */
export function isInGoodStanding({ status }: Subscription): boolean {
  return status === 'active' || status === 'trialing'
}

/** The one that stays when somebody pays twice: one in order before one that is owed, then the oldest. */
export function chooseRunning(subscriptions: readonly Subscription[]): Subscription | null {
  return subscriptions.filter(isRunning).toSorted(byClaim)[0] ?? null
}

function byClaim(one: Subscription, other: Subscription): number {
  return (
    Number(isInGoodStanding(other)) - Number(isInGoodStanding(one)) ||
    one.createdAt.getTime() - other.createdAt.getTime() ||
    (one.id < other.id ? -1 : 1)
  )
}

/**
 * The paid connections that a member is to have: one a plan, that of the living subscription or else of the one that
 * ended last. A checkout that was never paid, and what is sold beside our plans, is none.
 */
export function connectionsOf(truth: Truth): ConnectionState[] {
  const byPlan = new Map<string, { subscription: Subscription; price: PriceRow }>()
  for (const subscription of truth.subscriptions) {
    const price = findPriceOf(subscription, truth.prices)
    if (price === undefined || subscription.status.startsWith('incomplete')) continue
    const rival = byPlan.get(price.planId)?.subscription
    if (rival === undefined || isBefore(subscription, rival))
      byPlan.set(price.planId, { subscription, price })
  }
  return [...byPlan.values()].map(({ subscription, price }) => stateOf(subscription, price, truth))
}

function isBefore(one: Subscription, other: Subscription): boolean {
  if (isRunning(one) !== isRunning(other)) return isRunning(one)
  return isRunning(one) ? byClaim(one, other) < 0 : one.createdAt > other.createdAt
}

function stateOf(subscription: Subscription, price: PriceRow, truth: Truth): ConnectionState {
  const { status, latestInvoice, schedule } = subscription
  const pastDueAt = pastDueSince(subscription)
  const hasGrace = pastDueAt !== null && truth.now.getTime() < pastDueAt.getTime() + truth.graceMs
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
    periodEndsAt: isRunning(subscription) ? subscription.periodEndsAt : null,
    endsAt: isRunning(subscription) ? subscription.endsAt : subscription.endedAt,
    pastDueAt,
    nextPriceId: nextPriceOf(schedule?.nextPriceId ?? null, subscription, truth.prices),
  }
}

/** What is owed is owed from when it was written: another month that is not paid either begins no second grace. */
function pastDueSince({ status, owedSince, periodStartsAt }: Subscription): Date | null {
  if (status !== 'past_due' && status !== 'unpaid') return null
  return owedSince ?? periodStartsAt
}

function nextPriceOf(
  nextPriceId: string | null,
  subscription: Subscription,
  prices: Truth['prices'],
): string | null {
  if (nextPriceId === null || nextPriceId === subscription.priceId || !isRunning(subscription)) return null
  return prices.get(nextPriceId)?.priceId ?? null
}

/**
 * The connections whose subscription the payment service knows no more, as when a customer was removed there: they have
 * ended. A plan that another subscription gives is not among them.
 */
export function vanishedOf(
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
      {
        ...{ planId, subscriptionId, priceId, amount, currency, interval, lastBilledAt, endsAt },
        ...{ status: 'CANCELED', active: false, periodEndsAt: null, pastDueAt: null, nextPriceId: null },
      },
    ]
  })
}

/** What has to be done so that the stored connections are the wanted ones. */
export type ConnectionChanges = {
  removed: StoredConnection[]
  /** With the stored one that it replaces, null for a new one. */
  written: { before: StoredConnection | null; after: ConnectionState }[]
}

/** Compares by plan. Free connections are nobody's business here. */
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
        after: sinceLastPayment(storedBySubscription.get(after.subscriptionId), after),
      }))
      .filter(({ before, after }) => before === null || !isSame(before, after)),
  }
}

/** Whether a stored connection is the wanted one. */
export function isSame(before: StoredConnection, after: ConnectionState): boolean {
  const wanted = sinceLastPayment(before, after)
  return stateKeys.every((key) => comparable(before[key]) === comparable(wanted[key]))
}

/** While the latest invoice is unpaid, nobody tells any more when the one before was paid: it stays as it was known. */
function sinceLastPayment(before: StoredConnection | undefined, after: ConnectionState): ConnectionState {
  if (after.lastBilledAt !== null || before?.subscriptionId !== after.subscriptionId) return after
  return { ...after, lastBilledAt: before.lastBilledAt }
}

function comparable(value: ConnectionState[keyof ConnectionState]): string | number | boolean | null {
  return value instanceof Date ? value.getTime() : value
}

const stateKeys = [
  'planId',
  'subscriptionId',
  'priceId',
  'status',
  'active',
  'amount',
  'currency',
  'interval',
  'lastBilledAt',
  'periodEndsAt',
  'endsAt',
  'pastDueAt',
  'nextPriceId',
] as const satisfies readonly (keyof ConnectionState)[]
