import { type CalendarDate, formatEditionKey, parseWireDate } from '@tidings/contracts/edition-key'
import { newMemoEvent } from '@tidings/contracts/live-feed'
import { parseJson } from '#lib/json.ts'
import { type Memo, toMemo } from '../memos/memo.ts'

/** A memo from the live feed and the edition that it belongs to. */
export type NewMemo = { date: CalendarDate; slot: string; editionKey: string; memo: Memo }

/** Returns the memo of a live feed frame; null for any other event and for an invalid frame. */
export function parseNewMemo(frame: string): NewMemo | null {
  const event = newMemoEvent.safeParse(parseJson(frame))
  if (!event.success) return null
  const wire = event.data.data
  const date = parseWireDate(wire.date)
  if (date === null) return null
  const slot = wire.time_stamp
  return { date, slot, editionKey: formatEditionKey(date, slot), memo: toMemo(wire) }
}
