import type { MemberDeliveries } from '@tidings/contracts/deliveries'
import { factsOf } from '@tidings/contracts/delivery/methods'
import { latestPauseEnd } from '@tidings/contracts/delivery/pause'
import { type CalendarDate, formatIsoDate } from '@tidings/contracts/edition-key'
import { compareDates, formatDay, localDate, nextDay, zonedMoment } from '#lib/calendar.ts'

const obstacles: Readonly<Record<NonNullable<MemberDeliveries['obstacle']>, string>> = {
  'no-method': 'Nothing is sent to you. Choose below how editions reach you.',
  'no-plan': 'Editions are sent to members with a plan. Choose one to receive them.',
  unverified: 'Nothing is sent until your email address or phone number is confirmed.',
  bounce: 'Nothing is sent to your address at the moment.',
  complaint: 'Nothing is sent to your address at the moment.',
  paused: 'Deliveries are paused.',
}

/** Says what is sent next, or why nothing is. Times are on the reader's clock. */
export function nextDeliveryText({ next, obstacle, pausedUntil }: MemberDeliveries, now: Date): string {
  if (next !== null) {
    const what = next.method === 'digest' ? 'The evening digest' : 'The next edition'
    const at = new Date(next.at)
    return `${what} comes ${factsOf(next.method).arrives} ${dayOf(at, now)} at ${timeOf(at)}.`
  }
  if (obstacle === 'paused' && pausedUntil !== null) {
    return `Deliveries are paused. They continue on ${formatDay(parseIsoDay(pausedUntil), localDate(now))}.`
  }
  return obstacles[obstacle ?? 'no-method']
}

/** Returns the first day on which a pause can end, as a date field has it: tomorrow. */
export function earliestPauseEnd(now: Date): string {
  return formatIsoDate(nextDay(localDate(now)))
}

/** Returns the last day on which a pause can end, as a date field has it: today in a year, on the site's clock. */
export function latestPauseEndOn(now: Date, timeZone: string): string {
  return formatIsoDate(latestPauseEnd(zonedMoment(now, timeZone).date))
}

/** Names a day in a sentence: 'today', 'tomorrow', 'on November 28'. */
export function dayOf(at: Date, now: Date): string {
  const today = localDate(now)
  const date = localDate(at)
  if (compareDates(date, today) === 0) return 'today'
  return compareDates(date, nextDay(today)) === 0 ? 'tomorrow' : `on ${formatDay(date, today)}`
}

function timeOf(at: Date): string {
  return new Intl.DateTimeFormat('en-US', { timeStyle: 'short' }).format(at).replace(/\s/, '\u00A0')
}

export function parseIsoDay(text: string): CalendarDate {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  return { year, month, day }
}
