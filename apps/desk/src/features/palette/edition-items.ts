import { type CalendarDate, formatEditionKey, parseWireDate } from '@tidings/contracts/edition-key'
import { editionPath } from '#lib/desk-paths.ts'
import { addDays, dayText } from '#lib/time/zoned-time.ts'

/** A screen that can be opened. */
export type PlaceItem = { id: string; title: string; hint: string; path: string; keys?: string }

const near: Record<string, string> = { '-1': 'yesterday', '0': 'today', '1': 'tomorrow' }
const [from, to] = [-14, 21]

/** Returns the editions of the days around today, and those of a day that is written as `2026-11-20` or `11-20-26`. */
export function editionItems(
  words: string,
  { slots, today }: { slots: readonly string[]; today: CalendarDate },
): PlaceItem[] {
  const days = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  const written = parseWireDate(wireDateOf(words.trim()))
  const nearItems = days
    .toSorted((a, b) => Math.abs(a) - Math.abs(b))
    .flatMap((by) => slots.map((slot) => editionItem(addDays(today, by), slot, near[by] ?? 'edition')))
  return written === null
    ? nearItems
    : slots.map((slot) => editionItem(written, slot, `edition, ${words.trim()}`))
}

function editionItem(day: CalendarDate, slot: string, hint: string): PlaceItem {
  const key = formatEditionKey(day, slot)
  return { id: `edition ${key}`, title: `${slot}, ${dayText(day)}`, hint, path: editionPath(key) }
}

/** Returns `11-20-26` of `2026-11-20`, and other words as they are. */
function wireDateOf(words: string): string {
  return words.replace(/^20(\d\d)-(\d\d)-(\d\d)$/, '$2-$3-$1')
}
