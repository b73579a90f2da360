import { type CalendarDate, formatEditionKey, parseWireDate } from '@tidings/contracts/edition-key'
import type { Memo as WireMemo } from '@tidings/contracts/editions'
import { memoEvent } from '@tidings/contracts/live-feed'
import type { Focus } from '@tidings/ui/picture'
import { type SafeHtml, sanitizedByServer } from '@tidings/ui/safe-html'
import { parseJson } from '#lib/api/json.ts'

/** One item of an edition, in our own terms. */
export type Memo = {
  id: string
  title: string
  /** File name of the picture; empty without one. */
  picture: string
  pictureNote: SafeHtml | null
  caption: string
  /** Empty without one, or for a decorative picture. */
  alt: string
  /** The point that cropping keeps; undefined for the center. */
  focus: Focus | undefined
  body: SafeHtml
  /** The note of the last correction, and its time; null without a note. */
  correction: { note: string; at: Date } | null
  /** URL of the source, http or https; empty without one. */
  source: string
  likes: number
  /** BCP 47; undefined for the site's language. */
  language: string | undefined
}

export function toMemo(wire: WireMemo): Memo {
  return {
    id: wire._id,
    title: wire.title,
    picture: wire.media,
    pictureNote: wire.media_text.trim() === '' ? null : sanitizedByServer(wire.media_text),
    caption: wire.media_title,
    alt: wire.media_alt ?? '',
    focus: wire.media_focus,
    body: sanitizedByServer(wire.memo_content),
    correction:
      wire.correction === undefined ? null : { note: wire.correction.note, at: new Date(wire.correction.at) },
    source: /^https?:\/\//i.test(wire.source) ? wire.source : '',
    likes: wire.counter,
    language: wire.language,
  }
}

/** Returns the host of a memo's source without `www.`; null for an invalid URL. */
export function sourceHost({ source }: Memo): string | null {
  return URL.canParse(source) ? new URL(source).hostname.replace(/^www\./, '') : null
}

/** An event of the live feed about a memo, and the edition that the memo belongs to. */
export type MemoEvent = { date: CalendarDate; slot: string; editionKey: string } & (
  | { kind: 'new' | 'changed'; memo: Memo /** From 1. */; position: number }
  | { kind: 'withdrawn'; memoId: string }
)

/** Returns the memo event of a live feed frame; null for any other event and for an invalid frame. */
export function parseMemoEvent(frame: string): MemoEvent | null {
  const parsed = memoEvent.safeParse(parseJson(frame))
  const date = parsed.success ? parseWireDate(parsed.data.data.date) : null
  if (!parsed.success || date === null) return null
  const { event, data } = parsed.data
  const edition = { date, slot: data.time_stamp, editionKey: formatEditionKey(date, data.time_stamp) }
  if (event === 'MEMO_WITHDRAWN') return { ...edition, kind: 'withdrawn', memoId: data._id }
  const kind = event === 'NEW_MEMO' ? 'new' : 'changed'
  return { ...edition, kind, memo: toMemo(data), position: data.position }
}
