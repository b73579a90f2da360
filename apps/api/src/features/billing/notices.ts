import type { Subscription } from '../../integrations/payments/payment-gateway.ts'
import type { Notice } from '../auth/index.ts'
import type { ConnectionState, StoredConnection } from './billing.repository.ts'
import { isLiving } from './connections.ts'

/** A notice, and what it is told of: of one cause it is told once, however often the cause is found. */
export type CausedNotice = { notice: Notice; cause: string }

type Names = {
  planName(planId: string): string
  /** The configured plan and price of a configured price's id. */
  priceOf(priceId: string): { planName: string; amount: number; currency: string; interval: Interval } | null
  graceMs: number
  /** The reading that found it: what can happen again is told again. */
  reading: number
}

type Interval = 'MONTHLY' | 'YEARLY' | null

type Found = {
  stored: readonly StoredConnection[]
  wanted: readonly ConnectionState[]
  subscriptions: readonly Subscription[]
}

/** What a member is told when their stored connections become the wanted ones. */
export function noticesOf({ stored, wanted, subscriptions }: Found, names: Names): CausedNotice[] {
  const before = new Map(stored.map((row) => [row.subscriptionId, row]))
  const byId = new Map(subscriptions.map((subscription) => [subscription.id, subscription]))
  return wanted.flatMap((after) => {
    const subscription = byId.get(after.subscriptionId)
    if (subscription === undefined) return []
    return noticesOfOne(before.get(after.subscriptionId) ?? null, after, subscription, names)
  })
}

function noticesOfOne(
  before: StoredConnection | null,
  after: ConnectionState,
  subscription: Subscription,
  names: Names,
): CausedNotice[] {
  const notices: CausedNotice[] = []
  const tell = (cause: string, notice: Notice) =>
    notices.push({ cause: `${cause} ${subscription.id}`, notice })
  const planName = names.planName(after.planId)
  const { amount, currency } = after
  const money = { amount, currency, interval: wireInterval(after.interval) }
  const nextBillingDate = after.endsAt === null ? iso(after.periodEndsAt) : null

  if (!isLiving(subscription)) {
    if (before !== null && before.status !== 'CANCELED')
      tell('ended', { kind: 'subscription-ended', planName })
    return notices
  }
  if (before === null) {
    const invoiceUrl = subscription.latestInvoice?.url ?? null
    if (after.active)
      tell('subscribed', { kind: 'subscribed', planName, ...money, nextBillingDate, invoiceUrl })
  } else if (before.priceId !== after.priceId && before.priceId !== null) {
    const fromPlanName = names.planName(before.planId)
    tell(`changed ${names.reading}`, {
      kind: 'plan-changed',
      fromPlanName,
      toPlanName: planName,
      ...money,
      nextBillingDate,
    })
  }
  if (after.pastDueAt !== null && before?.pastDueAt?.getTime() !== after.pastDueAt.getTime()) {
    const accessUntil = after.active
      ? new Date(after.pastDueAt.getTime() + names.graceMs).toISOString()
      : null
    const payUrl = subscription.latestInvoice?.url ?? null
    const owed = subscription.latestInvoice ?? { amount, currency }
    tell(`unpaid ${subscription.latestInvoice?.id ?? after.pastDueAt.getTime()}`, {
      kind: 'payment-failed',
      planName,
      amount: owed.amount,
      currency: owed.currency,
      payUrl,
      accessUntil,
    })
  }
  if (after.nextPriceId !== null && before?.nextPriceId !== after.nextPriceId) {
    const next = names.priceOf(after.nextPriceId)
    const at = iso(after.periodEndsAt)
    if (next !== null && at !== null) {
      const { planName: toPlanName, ...nextMoney } = next
      tell(`scheduled ${names.reading}`, {
        kind: 'plan-change-scheduled',
        fromPlanName: planName,
        toPlanName,
        ...nextMoney,
        at,
      })
    }
  }
  if (after.endsAt !== null && before?.endsAt?.getTime() !== after.endsAt.getTime()) {
    const endsAt = after.endsAt.toISOString()
    tell(`ending ${names.reading}`, { kind: 'subscription-ending', planName, endsAt })
  }
  if (after.endsAt === null && before !== null && before.endsAt !== null && before.status !== 'CANCELED') {
    tell(`resumed ${names.reading}`, { kind: 'subscription-resumed', planName, nextBillingDate })
  }
  if (after.status === 'DISPUTED' && before?.status !== 'DISPUTED') {
    tell(`disputed ${names.reading}`, { kind: 'payment-disputed', planName })
  }
  return notices
}

function wireInterval(interval: ConnectionState['interval']): Interval {
  if (interval === null) return null
  return interval === 'monthly' ? 'MONTHLY' : 'YEARLY'
}

function iso(date: Date | null): string | null {
  return date?.toISOString() ?? null
}
