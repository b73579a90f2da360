import { deliveryMethods, factsOf } from '@tidings/contracts/delivery/methods'
import { type CalendarDate, parseEditionKey, parseWireDate } from '@tidings/contracts/edition-key'
import type { MemberDeliveries } from '@tidings/contracts/membership/deliveries'
import { compareDates, formatDay, localDate } from '#lib/format/calendar.ts'
import { dayOf } from './delivery-sentences.ts'

export type RecentDelivery = MemberDeliveries['recent'][number]

/** An edition or a digest in the list of recent deliveries, with the result of each method. */
export type DeliveryRow = { id: string; edition: string | null; title: string; methods: string[] }

const problems: Readonly<Partial<Record<RecentDelivery['state'], string>>> = {
  planned: 'not sent yet',
  sending: 'being sent',
  bounced: 'came back',
  failed: 'could not be sent',
  suppressed: 'not sent',
  held: 'waits for the editors',
  unconfirmed: 'we can’t tell whether it arrived',
}

/** The reasons why nothing was sent, by the code in the reply. */
const reasons = new Map([
  ['no-method', 'switched off'],
  ['no-plan', 'no plan'],
  ['unverified', 'not confirmed'],
  ['bounce', 'earlier ones came back'],
  ['complaint', 'reported as spam'],
  ['paused', 'paused'],
])

/** Deliveries within this time are listed as sent together. */
const togetherMs = 60 * 60_000

/** Returns a row for each edition and digest, in their order: 'email, PDF', 'text at 8 AM', 'text: came back'. */
export function deliveryRows(recent: readonly RecentDelivery[], now: Date): DeliveryRow[] {
  const groups = groupBy(recent, ({ edition, digest }) => edition ?? digest ?? '')
  return [...groups].map(([id, deliveries]) => {
    const [{ edition, digest } = { edition: null, digest: null }] = deliveries
    const key = edition === null ? null : parseEditionKey(edition)
    const day = key?.date ?? (digest === null ? null : parseWireDate(digest))
    const shownDay = day === null ? '' : formatDay(day, localDate(now))
    const title = key === null ? `Digest of ${shownDay}` : `${shownDay}, ${key.slot}`
    return { id, edition, title, methods: methodTexts(deliveries, { day, now }) }
  })
}

type Times = { day: CalendarDate | null; now: Date }

/** Joins the methods that fared alike. Those that were sent first come first. */
function methodTexts(deliveries: readonly RecentDelivery[], times: Times): string[] {
  const sent = deliveries.flatMap(({ sentAt }) => (sentAt === null ? [] : [Date.parse(sentAt)]))
  const first = Math.min(...sent)
  const inOrder = deliveryMethods.flatMap((method) => deliveries.filter((one) => one.method === method))
  const byFate = groupBy(inOrder, (delivery) => fateOf(delivery, first, times))
  return [...byFate]
    .toSorted(([one], [other]) => Number(one !== '') - Number(other !== ''))
    .map(
      ([fate, alike]) =>
        `${[...new Set(alike.map(({ method }) => factsOf(method).listed))].join(', ')}${fate}`,
    )
}

function fateOf({ state, reason, sentAt, dueAt }: RecentDelivery, firstSent: number, times: Times): string {
  if (state === 'sent' || state === 'delivered') {
    const isLater = sentAt !== null && Date.parse(sentAt) - firstSent >= togetherMs
    return isLater ? ` ${timeText(new Date(sentAt), times)}` : ''
  }
  if (state === 'planned' && dueAt !== null && Date.parse(dueAt) > times.now.getTime()) {
    return ` ${timeText(new Date(dueAt), times)}`
  }
  const why = state === 'suppressed' ? reasons.get(reason ?? '') : undefined
  return `: ${problems[state] ?? ''}${why === undefined ? '' : ` (${why})`}`
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

/** Says a time on the reader's clock, with the day if it isn't the edition's. */
function timeText(at: Date, { day, now }: Times): string {
  const isSameDay = day !== null && compareDates(localDate(at), day) === 0
  const clock = new Intl.DateTimeFormat('en-US', {
    hour: 'numeric',
    ...(at.getMinutes() === 0 ? {} : { minute: '2-digit' }),
  }).format(at)
  return `${isSameDay ? '' : `${dayOf(at, now)} `}at ${clock.replace(/\s/, '\u00A0')}`
}
