import type { FoundDelivery } from '@tidings/contracts/delivery/deliveries'
import type { DeskMember, FoundMember } from '@tidings/contracts/desk/members'
import { type CalendarDate, parseEditionKey, parseWireDate } from '@tidings/contracts/edition-key'
import { addDays, dayText } from '#lib/time/zoned-time.ts'

/** Returns the name of a member; without one, the address. */
export function memberName({ name, email }: Pick<FoundMember, 'name' | 'email'>): string {
  return name ?? email
}

type ListedPlan = Pick<FoundMember['plans'][number], 'planId' | 'active' | 'type'>

/** Returns the plan of a member in a list: `Yearly`, or `Free`. */
export function planWord(plans: readonly ListedPlan[]): string {
  const paid = plans.find(({ active, type }) => active && type !== 'FREE')
  if (paid === undefined) return plans.some(({ active }) => active) ? 'Free' : 'No plan'
  const word = /month|year/i.exec(paid.planId)?.[0].toLowerCase()
  return word === undefined ? 'Paid' : word === 'year' ? 'Yearly' : 'Monthly'
}

/** Returns `$99.00`. */
export function priceText(amount: number, currency: string): string {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount)
}

/** Returns `November 12`, with the year unless it is this one. */
export function dateText(day: CalendarDate, today: CalendarDate): string {
  return dayText(day, { weekday: undefined, year: day.year === today.year ? undefined : 'numeric' })
}

/** Returns `Today`, `Yesterday` or the date. */
export function nearDay(day: CalendarDate, today: CalendarDate): string {
  if (isSame(day, today)) return 'Today'
  return isSame(day, addDays(today, -1)) ? 'Yesterday' : dateText(day, today)
}

function isSame(a: CalendarDate, b: CalendarDate): boolean {
  return a.year === b.year && a.month === b.month && a.day === b.day
}

/** Returns what was delivered: `Today, 10AM`, or `Digest of November 12`. */
export function subjectText({ edition, digest }: FoundDelivery, today: CalendarDate): string {
  const parsed = edition === null ? null : parseEditionKey(edition)
  if (parsed !== null) return `${nearDay(parsed.date, today)}, ${parsed.slot}`
  const day = digest === null ? null : parseWireDate(digest)
  return day === null ? (edition ?? digest ?? '') : `Digest of ${dateText(day, today)}`
}

/** The states of a delivery in the words of the table. */
export const stateWords: Readonly<Record<FoundDelivery['state'], string>> = {
  planned: 'Waiting',
  sending: 'Being sent',
  sent: 'Sent',
  delivered: 'Delivered',
  bounced: 'Not delivered',
  failed: 'Not delivered',
  suppressed: 'Skipped',
  held: 'Waiting',
  unconfirmed: 'Unconfirmed',
}

const codes: Readonly<Record<string, string>> = {
  'account-deleted': 'The account is deleted',
  'no-plan': 'No plan with deliveries',
  unverified: 'Not verified',
  bounce: 'Suppressed',
  complaint: 'Suppressed',
  paused: 'Paused by the member',
  confirmed: 'Counted as sent at the desk',
  'send-again': 'Is sent again',
}

/** Returns why a delivery is in its state, in the words of the server where it said some. */
export function whyText({ reason, waiting, attemptLog }: FoundDelivery): string {
  if (waiting !== null) return waiting.message
  if (reason !== null && reason in codes) return codes[reason] ?? ''
  return attemptLog.at(-1)?.reply || reason || ''
}

/** Returns when something happened to a delivery last; null before anything did. */
export function lastTime({ sentAt, handedOverAt, attemptLog }: FoundDelivery): string | null {
  return sentAt ?? handedOverAt ?? attemptLog.at(-1)?.at ?? null
}

const obstacles: Readonly<Record<NonNullable<DeskMember['obstacle']>, string>> = {
  'no-method': 'The member chose nothing.',
  'no-plan': 'Nothing is sent: no plan with deliveries.',
  unverified: 'Nothing is sent: the address or number isn’t verified.',
  bounce: 'Nothing is sent: the address is suppressed.',
  complaint: 'Nothing is sent: the address is suppressed.',
  paused: 'Nothing is sent: the member paused it.',
}

/** Returns why a member gets nothing, as a sentence; empty if they do. */
export function obstacleText({ obstacle }: DeskMember): string {
  return obstacle === null ? '' : obstacles[obstacle]
}
