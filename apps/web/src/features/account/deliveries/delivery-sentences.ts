import { factsOf } from '@tidings/contracts/delivery/methods'
import { latestPauseEnd } from '@tidings/contracts/delivery/pause'
import { type CalendarDate, formatIsoDate } from '@tidings/contracts/edition-key'
import type { MemberDeliveries } from '@tidings/contracts/membership/deliveries'
import {
  compareDates,
  formatClockTime,
  formatDay,
  localDate,
  nextDay,
  zonedMoment,
} from '#lib/format/calendar.ts'

const obstacles: Readonly<Record<NonNullable<MemberDeliveries['obstacle']>, string>> = {
  'no-method': 'Nothing is sent to you. Choose below how editions reach you.',
  'no-plan': 'Editions are sent to members with a plan. Choose one to receive them.',
  unverified: 'Nothing is sent until your email address or phone number is confirmed.',
  bounce: 'Nothing is sent to your address at the moment.',
  complaint: 'Nothing is sent to your address at the moment.',
  paused: 'Deliveries are paused.',
}

/** Says what is sent next, or why nothing is. Times are on the reader's clock. */
export function nextDeliveryText(deliveries: MemberDeliveries, now: Date): string {
  const { next, nextNotification } = deliveries
  const when = (at: string) => `${dayOf(new Date(at), now)} at ${timeOf(new Date(at))}`
  const notified =
    nextNotification == null ? '' : `The next edition comes as a notification ${when(nextNotification.at)}.`
  if (next === null) return `${notified} ${obstacleText(deliveries, now)}`.trim()
  const { arrives } = factsOf(next.method)
  if (next.method === 'digest')
    return `${notified} The evening digest comes ${arrives} ${when(next.at)}.`.trim()
  const how = nextNotification == null ? arrives : `${arrives} and as a notification`
  return `The next edition comes ${how} ${when(next.at)}.`
}

function obstacleText({ obstacle, pausedUntil, nextNotification }: MemberDeliveries, now: Date): string {
  if (obstacle === 'paused' && pausedUntil !== null) {
    return `Deliveries are paused. They continue on ${formatDay(parseIsoDay(pausedUntil), localDate(now))}.`
  }
  if (nextNotification == null) return obstacles[obstacle ?? 'no-method']
  return obstacle === null ? '' : obstacles[obstacle].replace('Nothing is', 'Nothing else is')
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
  return formatClockTime(at.getHours() * 60 + at.getMinutes())
}

export function parseIsoDay(text: string): CalendarDate {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  return { year, month, day }
}
