import { DateTime } from 'luxon'

/** How long a discount lasts. Times are in seconds. */
export type DiscountTerm = {
  duration: 'once' | 'repeating' | 'forever'
  /** The end of a repeating one. */
  end: number | null
}

/** A billing period that begins with a renewal; its length is that of all later ones. Times are in seconds. */
export type BillingPeriod = { start: number; end: number }

/** Returns the discounts of a renewal. `isFirst`: one-time discounts aren't used up yet. */
export function discountsAt<Term extends DiscountTerm>(
  terms: readonly Term[],
  renewsAt: number,
  { isFirst }: { isFirst: boolean },
): Term[] {
  return terms.filter((term) => appliesAt(term, renewsAt, isFirst))
}

function appliesAt({ duration, end }: DiscountTerm, renewsAt: number, isFirst: boolean): boolean {
  if (duration === 'once') return isFirst
  // A discount that ends at the very moment of a renewal is over.
  return duration === 'forever' || (end ?? 0) > renewsAt
}

/**
 * Returns the later renewals from which fewer discounts apply, in order. Renewals are counted from the anchor's day of
 * the month, which a shorter month may cut.
 */
export function renewalsAfterDiscounts(
  terms: readonly DiscountTerm[],
  { renewsAt, anchor, period, isOnceUsed }: Renewals,
): number[] {
  const ends = terms.flatMap((term) => {
    if (term.duration === 'once') return isOnceUsed ? [] : [renewsAt + 1]
    return term.duration === 'repeating' && (term.end ?? 0) > renewsAt ? [term.end ?? 0] : []
  })
  const dates = ends.map((end) => firstRenewalFrom(end, { renewsAt, anchor, period }))
  return [...new Set(dates)].toSorted((one, other) => one - other)
}

type Renewals = {
  renewsAt: number
  anchor: number
  period: BillingPeriod
  isOnceUsed: boolean
}

function firstRenewalFrom(
  time: number,
  { renewsAt, anchor, period }: Pick<Renewals, 'renewsAt' | 'anchor' | 'period'>,
): number {
  const months = monthOf(period.end) - monthOf(period.start)
  // A price by the day or week, which the merchant made by hand.
  if (months === 0 || period.end - period.start < 28 * daySeconds) {
    const length = Math.max(1, period.end - period.start)
    return renewsAt + Math.max(0, Math.ceil((time - renewsAt) / length)) * length
  }
  const elapsed = monthOf(renewsAt) - monthOf(anchor)
  const isAnchored = addMonths(anchor, elapsed) === renewsAt
  const [from, offset] = isAnchored ? [anchor, elapsed] : [renewsAt, 0]
  for (let count = offset; ; count += months) {
    const renewal = addMonths(from, count)
    if (renewal >= time) return renewal
  }
}

const daySeconds = 86_400

/** Counts months from year 0. */
function monthOf(seconds: number): number {
  const { year, month } = DateTime.fromSeconds(seconds, { zone: 'utc' })
  return year * 12 + month
}

/** Adds months, limited to the last day of the month, as Stripe does. */
export function addMonths(seconds: number, months: number): number {
  return DateTime.fromSeconds(seconds, { zone: 'utc' }).plus({ months }).toSeconds()
}
