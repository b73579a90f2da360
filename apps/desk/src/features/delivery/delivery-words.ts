import type { DeliveryReport } from '@tidings/contracts/delivery/deliveries'
import { counted } from '#lib/counted.ts'
import { countsByMethod, type Kind, kindOf, percentDone, type Totals, totalsOf } from './delivery-counts.ts'

const secondMs = 1_000

/** Returns the state of a published edition's delivery: `Being delivered, 62 %`. */
export function deliveryHeadline({ state, sendAfter, counts }: DeliveryReport, now: Date): string {
  switch (state) {
    case 'none':
      return 'On the site'
    case 'planning':
      return 'Being prepared'
    case 'planned': {
      const seconds = secondsUntil(sendAfter, now)
      return seconds > 0 ? `Sent in ${waitText(seconds)}` : 'Being delivered, 0 %'
    }
    case 'sending':
      return `Being delivered, ${percentDone(totalsOf(countsByMethod(counts)))} %`
    case 'stopped':
      return 'Stopped'
    case 'held':
      return 'Delivery is held'
    case 'withdrawn':
      return 'Withdrawn'
    case 'done':
      return 'Delivered'
  }
}

/** Returns the whole seconds until an instant, at least 0. */
export function secondsUntil(instant: string | null, now: Date): number {
  if (instant === null) return 0
  return Math.max(0, Math.ceil((new Date(instant).getTime() - now.getTime()) / secondMs))
}

/** Returns `48 s`, or `3 min` for a longer time. */
export function waitText(seconds: number): string {
  return seconds <= 99 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
}

/** A reason of some deliveries, as a sentence. */
export type Why = {
  kind: Kind
  state: DeliveryReport['counts'][number]['state']
  reason: string | null
  count: number
  text: string
}

const reasonTexts: Readonly<Record<string, string>> = {
  'account-deleted': 'These accounts are deleted.',
  'no-plan': 'They have no plan that delivers.',
  unverified: 'The address or number isn’t verified.',
  bounce: 'The mailbox doesn’t exist. These addresses get nothing more.',
  complaint: 'They reported our mail as spam. These addresses get nothing more.',
  paused: 'They paused their deliveries.',
}

/** Returns why deliveries wait for longer or were not delivered, the most frequent reason first. */
export function reasonsOf(counts: DeliveryReport['counts']): Why[] {
  const found = new Map<string, Why>()
  for (const { state, reason, count } of counts) {
    const kind = kindOf(state)
    const text = reasonText(kind, reason)
    if (text === null) continue
    const before = found.get(`${state} ${text}`)
    found.set(`${state} ${text}`, { kind, state, reason, text, count: (before?.count ?? 0) + count })
  }
  return [...found.values()].toSorted((a, b) => b.count - a.count)
}

function reasonText(kind: Kind, reason: string | null): string | null {
  if (kind === 'sent' || kind === 'unconfirmed') return null
  if (reason === null) return kind === 'waiting' ? null : 'The number or server refused it.'
  return reasonTexts[reason] ?? `The server said: “${reason}”`
}

/** Returns `1,180 a minute, about 4 min left`; nothing while there is too little to tell. */
export function speedText({ all, waiting }: Pick<Totals, 'all' | 'waiting'>, since: Date, now: Date): string {
  const perMinute = speedOf({ all, waiting }, since, now)
  if (perMinute === 0) return ''
  const left = waiting === 0 ? '' : ` · ${leftText(waiting, perMinute)}`
  return `${perMinute.toLocaleString('en')} a minute${left}`
}

/** Returns how far a delivery is, in sentences; nothing before it begins. */
export function deliverySentences(
  { state, startedAt, finishedAt, counts }: DeliveryReport,
  { now, clock }: { now: Date; clock: (at: Date) => string },
): string[] {
  const totals = totalsOf(countsByMethod(counts))
  if (startedAt === null || totals.all === 0) return []
  const { sent, all, unconfirmed, notDelivered, waiting } = totals
  const speed = state === 'sending' ? speedOf(totals, new Date(startedAt), now) : 0
  const left = speed > 0 && waiting > 0 ? `, ${leftText(waiting, speed)}` : ''
  const lost =
    notDelivered === 0 || finishedAt === null
      ? ''
      : ` ${notDelivered.toLocaleString('en')} could not be delivered.`
  return [
    `${sent.toLocaleString('en')} of ${all.toLocaleString('en')} sent${left}.${lost}`,
    ...(unconfirmed > 0 ? [`${counted(unconfirmed, 'is', 'are')} unconfirmed.`] : []),
    ...(finishedAt === null ? [] : [`Finished at ${clock(new Date(finishedAt))}.`]),
  ]
}

/** Returns how many deliveries end in a minute; 0 while there is too little to tell. */
function speedOf({ all, waiting }: Pick<Totals, 'all' | 'waiting'>, since: Date, now: Date): number {
  const minutes = (now.getTime() - since.getTime()) / 60_000
  return minutes < 0.1 ? 0 : Math.round((all - waiting) / minutes)
}

function leftText(waiting: number, perMinute: number): string {
  return `about ${Math.max(1, Math.ceil(waiting / perMinute))} min left`
}
