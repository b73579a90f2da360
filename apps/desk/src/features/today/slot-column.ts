import type { DeliveryReport } from '@tidings/contracts/delivery/deliveries'
import type { DeskEdition } from '@tidings/contracts/desk/editions'
import type { DeskMemo } from '@tidings/contracts/desk/memos'
import { type CalendarDate, formatEditionKey, type Slot } from '@tidings/contracts/edition-key'
import { countsByMethod, percentDone, totalsOf } from '#features/delivery/delivery-counts.ts'
import { deliveryHeadline, deliverySentences } from '#features/delivery/delivery-words.ts'
import { clockText, instantAt, longSpanText, spanText, twoClocks } from '#lib/time/zoned-time.ts'

/** The site's time zone and that of the person at the desk. */
export type Zones = { site: string; own: string }

/** The status of an edition in a column; `none` before anyone has started it. */
export type SlotStatus = 'none' | DeskEdition['status']

/** One slot of a day, in words. */
export type SlotColumn = {
  key: string
  label: string
  status: SlotStatus
  statusText: string
  /** When it goes out, if it is scheduled. */
  dueAt: Date | null
  headline: string
  lines: string[]
  /** How much of it is delivered, in percent; null before its delivery begins. */
  percent: number | null
  memos: { id: string; title: string; note: string }[]
}

type Around = {
  day: CalendarDate
  slot: Slot
  now: Date
  zones: Zones
  /** The report on a published edition's deliveries; null until it is read. */
  delivery: DeliveryReport | null
}

/** Describes a slot of a day and its edition, which is null before anyone has started it. */
export function describeSlot(
  edition: DeskEdition | null,
  { day, slot, now, zones, delivery }: Around,
): SlotColumn {
  const due = instantAt(day, slot.minutes, zones.site)
  const words =
    edition === null ? notStarted(due, now, zones) : wordsOf(edition, { due, now, zones, delivery })
  return {
    key: formatEditionKey(day, slot.label),
    label: slot.label,
    status: edition?.status ?? 'none',
    dueAt: edition?.status === 'scheduled' ? new Date(edition.publishAt) : null,
    percent: edition?.status === 'published' ? percentOf(delivery) : null,
    memos: (edition?.memos ?? []).map((memo) => ({ id: memo.id, title: memo.title, note: noteOf(memo) })),
    ...words,
  }
}

type Words = Pick<SlotColumn, 'statusText' | 'headline' | 'lines'>

function notStarted(due: Date, now: Date, zones: Zones): Words {
  return { statusText: '', headline: 'Nothing yet', lines: [dueText(due, now, zones)] }
}

function wordsOf(
  { status, memos, publishAt, publishedAt, heldReason }: DeskEdition,
  { due, now, zones, delivery }: Pick<Around, 'now' | 'zones' | 'delivery'> & { due: Date },
): Words {
  const at = new Date(publishAt)
  switch (status) {
    case 'draft':
      return {
        statusText: 'Draft',
        headline: readyText(memos),
        lines: ['Not scheduled.', dueText(due, now, zones)],
      }
    case 'scheduled':
      return {
        statusText: 'Scheduled',
        headline: at > now ? `In ${spanText(at.getTime() - now.getTime())}` : 'Going out now',
        lines: [`${twoClocks(at, zones.site, zones.own)}.`],
      }
    case 'held':
      return {
        statusText: 'Held',
        headline: `${spanText(now.getTime() - at.getTime())} late`,
        lines: heldReason === null ? [] : [heldReason],
      }
    case 'published':
      return {
        statusText: `Published ${clockText(new Date(publishedAt ?? publishAt), zones.site)}`,
        headline: delivery === null ? 'On the site' : deliveryHeadline(delivery, now),
        lines: publishedLines(delivery, memos.length, { now, zones }),
      }
  }
}

function publishedLines(
  delivery: DeliveryReport | null,
  memos: number,
  { now, zones }: Pick<Around, 'now' | 'zones'>,
): string[] {
  const clock = (at: Date) => clockText(at, zones.site)
  const lines = delivery === null ? [] : deliverySentences(delivery, { now, clock })
  return lines.length > 0 ? lines : [memos === 1 ? '1 memo.' : `${memos} memos.`]
}

function percentOf(delivery: DeliveryReport | null): number | null {
  if (delivery === null || delivery.startedAt === null || delivery.counts.length === 0) return null
  return percentDone(totalsOf(countsByMethod(delivery.counts)))
}

function dueText(due: Date, now: Date, zones: Zones): string {
  return `${due > now ? 'Due' : 'It was due'} at ${twoClocks(due, zones.site, zones.own)}.`
}

function readyText(memos: readonly DeskMemo[]): string {
  if (memos.length === 0) return 'No memos yet'
  const ready = memos.filter((memo) => memo.ready).length
  return `${ready} of ${memos.length} ${memos.length === 1 ? 'memo' : 'memos'} ready`
}

function noteOf({ title, memo_content, media, media_alt, ready }: DeskMemo): string {
  if (title === '' && memo_content === '') return 'Empty'
  if (media !== '' && media_alt === null) return 'No alt text'
  return ready ? 'Ready' : ''
}

/** The most urgent truth about a day. `urgent` asks for a decision. */
export type DaySentence = { urgent: string; text: string }

/** Returns the sentence of a day: what is held, each by its name, then what goes out next. */
export function daySentence(
  columns: readonly SlotColumn[],
  { held, now }: { held: readonly string[]; now: Date },
): DaySentence {
  const urgent = held.map((name) => `${name} is held.`).join(' ')
  const next = columns.find(({ dueAt }) => dueAt !== null)
  if (next === undefined || next.dueAt === null)
    return { urgent, text: urgent === '' ? 'Nothing is scheduled.' : '' }
  const span = next.dueAt.getTime() - now.getTime()
  return { urgent, text: `${next.label} goes out ${span > 0 ? `in ${longSpanText(span)}` : 'now'}.` }
}
