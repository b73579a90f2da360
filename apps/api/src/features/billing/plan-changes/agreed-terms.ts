import type { PlanChangeTerms, planChangeByPriceRequest } from '@tidings/contracts/membership/billing'
import type { z } from 'zod'
import type { Subscription } from '#integrations/payments/payment-gateway.ts'

/** The preview's terms that a client sends back; empty if it sends none. */
export type AgreedTerms = Omit<z.infer<typeof planChangeByPriceRequest>, 'priceId'>

const agreedMs = 30 * 60_000

/** Returns the proration instant: the agreed one for 30 minutes, else now, in whole seconds of the period. */
export function prorationTime(
  { periodStartsAt, periodEndsAt }: Pick<Subscription, 'periodStartsAt' | 'periodEndsAt'>,
  { proratedAt }: AgreedTerms,
  now: Date,
): Date {
  const [start, end] = [periodStartsAt.getTime(), periodEndsAt.getTime() - 1_000]
  const latest = wholeSeconds(Math.min(Math.max(now.getTime(), start), end))
  const agreed = proratedAt == null ? latest : wholeSeconds(Date.parse(proratedAt))
  const isRecent = agreed <= latest && agreed >= start && agreed > now.getTime() - agreedMs
  return new Date(isRecent ? agreed : latest)
}

/** Returns whether the member agreed to these terms. A client that sends none agrees to any. */
export function isAgreed(agreed: AgreedTerms, terms: PlanChangeTerms): boolean {
  const { amountDue, currency, proratedAt, renewalAmount } = agreed
  if (amountDue == null || currency == null || proratedAt == null) return true
  return (
    amountDue === terms.amountDue &&
    currency.toLowerCase() === terms.currency &&
    wholeSeconds(Date.parse(proratedAt)) === Date.parse(terms.proratedAt) &&
    (renewalAmount == null || renewalAmount === terms.renewalAmount)
  )
}

function wholeSeconds(ms: number): number {
  return ms - (ms % 1_000)
}
