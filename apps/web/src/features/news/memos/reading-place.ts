import * as z from 'zod/mini'
import { parseJson } from '#lib/json.ts'
import type { Store } from '#lib/store.ts'

const savedPlace = z.object({
  openIds: z.array(z.string()),
  anchor: z.nullable(z.object({ rowId: z.string(), offsetPx: z.number() })),
})

/**
 * Where a reader is in an edition. The anchor is a memo's row and the distance of its top from the top of the page's
 * view, so that it holds when a memo is added above; null at the top of the page.
 */
export type ReadingPlace = z.infer<typeof savedPlace>

const start: ReadingPlace = { openIds: [], anchor: null }

/** Returns the reader's place in an edition in this browser session; all memos closed, at the top, without one. */
export function findReadingPlace(store: Store, editionKey: string): ReadingPlace {
  return savedPlace.safeParse(parseJson(store.get(storeKey(editionKey)) ?? '')).data ?? start
}

export function saveReadingPlace(store: Store, editionKey: string, place: ReadingPlace): void {
  store.set(storeKey(editionKey), JSON.stringify(place))
}

/**
 * Returns the anchor of the row at the top of the view: the first one that ends below it, or else the last one.
 * @param rows the list's rows with their edges, in pixels from the top of the view
 */
export function anchorOf(
  rows: readonly { id: string; top: number; bottom: number }[],
): ReadingPlace['anchor'] {
  const row = rows.find(({ bottom }) => bottom > 0) ?? rows.at(-1)
  return row === undefined ? null : { rowId: row.id, offsetPx: row.top }
}

function storeKey(editionKey: string): string {
  return `tidings:place:${editionKey}`
}
