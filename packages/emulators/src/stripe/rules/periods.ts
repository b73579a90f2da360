import type { Interval } from '../records/catalogue.ts'

type Recurring = { interval: Interval; intervalCount: number }

const secondsOf = { day: 86_400, week: 604_800 }

export const daySeconds = secondsOf.day

/**
 * The first end of a billing period after `time` (seconds), counted from the anchor. A month that is shorter than the
 * anchor's day ends its period on its last day; the next month is back on the anchor's day.
 */
export function nextPeriodEnd(anchor: number, time: number, recurring: Recurring): number {
  const { interval, intervalCount } = recurring
  if (interval === 'day' || interval === 'week') {
    const length = secondsOf[interval] * intervalCount
    return anchor + (Math.floor((time - anchor) / length) + 1) * length
  }
  const months = interval === 'year' ? 12 * intervalCount : intervalCount
  let steps = Math.floor(monthsBetween(anchor, time) / months)
  while (addMonths(anchor, steps * months) <= time) steps += 1
  return addMonths(anchor, steps * months)
}

/** The same day and time so many months later, or the last day of a month that is shorter. */
export function addMonths(seconds: number, months: number): number {
  const from = new Date(seconds * 1000)
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months + 1, 0)).getUTCDate()
  const day = Math.min(from.getUTCDate(), lastDay)
  const inDay = seconds - Math.floor(seconds / secondsOf.day) * secondsOf.day
  return Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, day) / 1000 + inDay
}

/** One interval after `seconds`. */
export function addInterval(seconds: number, { interval, intervalCount }: Recurring): number {
  return nextPeriodEnd(seconds, seconds, { interval, intervalCount })
}

function monthsBetween(from: number, to: number) {
  const [start, end] = [new Date(from * 1000), new Date(to * 1000)]
  const months =
    (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth()
  return months - 1
}
