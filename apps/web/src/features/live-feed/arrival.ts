import { type CalendarDate, parseWireDate } from '@tidings/contracts/edition-key'
import { isRecord, parseJson, textOf } from '../../lib/wire-reading.ts'

/** A memo that came by the live feed: the edition it belongs to, and the memo as the wire has it. */
export type Arrival = { date: CalendarDate; slot: string; memo: unknown }

/** Reads a frame of the live feed; null for any other event and for what can't be read. */
export function parseFrame(text: string): Arrival | null {
  const frame = parseJson(text)
  if (!isRecord(frame) || frame.event !== 'NEW_MEMO' || !isRecord(frame.data)) return null
  const date = parseWireDate(textOf(frame.data, 'date'))
  const slot = textOf(frame.data, 'time_stamp')
  return date === null || slot === '' ? null : { date, slot, memo: frame.data }
}
