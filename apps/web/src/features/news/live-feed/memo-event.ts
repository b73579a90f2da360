import { type CalendarDate, formatEditionKey, parseWireDate } from '@tidings/contracts/edition-key'
import { memoEvent } from '@tidings/contracts/live-feed'
import { parseJson } from '#lib/api/json.ts'
import { type Memo, toMemo } from '../memo.ts'

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
