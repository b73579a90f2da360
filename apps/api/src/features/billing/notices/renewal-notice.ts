import type { Email } from '#features/mail/index.ts'
import type { Money } from '#integrations/payments/payment-gateway.ts'

type Interval = 'MONTHLY' | 'YEARLY' | null

/** The next renewal of a running subscription, as Stripe previews it. */
export type UpcomingRenewal = Money & {
  renewsAt: Date
  planName: string
  interval: Interval
  /** The plan and price from the renewal on, if they differ. */
  next: { planName: string; interval: Interval } | null
  /** The cost of the current period; null if it is unknown. */
  paidAmount: number | null
}

/** The renewal that the last notice announced; null before the first notice. */
export type ToldRenewal = { renewsAt: Date | null; amount: number | null; currency: string | null }

const dayMs = 24 * 3_600_000

/**
 * When notices are sent, in days before the renewal. The law says 15 to 45 days before a yearly renewal and 7 to 30 before
 * a change of price (ADR 0071). A yearly notice fulfills both; each range ends a day early, for the mail server.
 */
export const noticeDays = { yearly: { first: 30, last: 16 }, priceChange: { first: 21, last: 8 } } as const

/** Returns the notice to send now; null for none. A correction is sent only if the amount or the day has changed. */
export function noticeOf(renewal: UpcomingRenewal, told: ToldRenewal, now: Date): Email | null {
  const { renewsAt, amount, currency, interval, next, paidAmount } = renewal
  if (renewsAt <= now) return null
  const isYearly = interval === 'YEARLY'
  const isChanged = next !== null || (paidAmount !== null && paidAmount !== amount)
  const isTold = told.renewsAt !== null && told.renewsAt > now
  if (isTold && isSame(renewal, told)) return null
  if (!isTold) {
    const isDue = (isYearly && isWithin(noticeDays.yearly)) || (isChanged && isWithin(noticeDays.priceChange))
    if (!isDue) return null
  }
  const hasFormer = paidAmount !== null && isChanged
  return {
    kind: 'renewal-notice',
    planName: renewal.planName,
    nextPlanName: next === null || next.planName === renewal.planName ? null : next.planName,
    amount,
    currency,
    interval: next === null ? interval : next.interval,
    former: hasFormer ? { amount: paidAmount, currency, interval } : null,
    renewsAt: renewsAt.toISOString(),
    isPriceChange: !isYearly,
    isCorrected: isTold,
  }

  function isWithin({ first, last }: { first: number; last: number }): boolean {
    const days = (renewsAt.getTime() - now.getTime()) / dayMs
    return days <= first && days >= last
  }
}

function isSame(renewal: UpcomingRenewal, told: ToldRenewal): boolean {
  return (
    renewal.amount === told.amount &&
    renewal.currency === told.currency &&
    dayOf(renewal.renewsAt) === dayOf(told.renewsAt)
  )
}

/** Returns the day in UTC, as emails name it. */
function dayOf(instant: Date | null): string | undefined {
  return instant?.toISOString().slice(0, 10)
}
