import type { PriceRecord } from './price.ts'

type Recurring = NonNullable<PriceRecord['recurring']>

export const daySeconds = 86_400

/**
 * Returns the end of the billing period that contains `time` (seconds), counted from the anchor. In shorter months
 * it is the last day.
 */
export function nextPeriodEnd(anchor: number, time: number, { interval, intervalCount }: Recurring): number {
  const months = interval === 'year' ? 12 * intervalCount : intervalCount
  let steps = Math.floor(monthsBetween(anchor, time) / months)
  while (addMonths(anchor, steps * months) <= time) steps += 1
  return addMonths(anchor, steps * months)
}

/** Adds months to a time, limited to the last day of the month. */
export function addMonths(seconds: number, months: number): number {
  const from = new Date(seconds * 1000)
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months + 1, 0)).getUTCDate()
  const day = Math.min(from.getUTCDate(), lastDay)
  const inDay = seconds - Math.floor(seconds / daySeconds) * daySeconds
  return Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, day) / 1000 + inDay
}

function monthsBetween(from: number, to: number) {
  const [start, end] = [new Date(from * 1000), new Date(to * 1000)]
  const months =
    (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth()
  return months - 1
}
