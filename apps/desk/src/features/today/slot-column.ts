import type { DeliveryReport } from '@tidings/contracts/delivery/deliveries'
import type { DeskEdition } from '@tidings/contracts/desk/editions'
import type { DeskMemo } from '@tidings/contracts/desk/memos'
import { type CalendarDate, formatEditionKey, type Slot } from '@tidings/contracts/edition-key'
import { deliveryHeadline } from '#features/delivery/delivery-words.ts'
import { clockText, instantAt, spanText, twoClocks } from '#lib/time/zoned-time.ts'

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
  headline: string
  lines: string[]
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
        lines: [memos.length === 1 ? '1 memo.' : `${memos.length} memos.`],
      }
  }
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

/** Returns the most urgent truth about the columns of a day. `isUrgent` asks for a decision. */
export function urgentSentence(columns: readonly SlotColumn[]): { text: string; isUrgent: boolean } {
  const held = columns.find(({ status }) => status === 'held')
  if (held !== undefined) return { text: `${held.label} is held.`, isUrgent: true }
  const next = columns.find(({ status }) => status === 'scheduled')
  if (next !== undefined) {
    const { label, headline } = next
    return {
      text: `${label} goes out ${headline === 'Going out now' ? 'now' : headline.replace('In', 'in')}.`,
      isUrgent: false,
    }
  }
  return { text: 'Nothing is scheduled.', isUrgent: false }
}
