import * as z from 'zod/mini'
import { scrollAnchor } from '#components/scroll/scroll-anchor.ts'
import { parseJson } from '#lib/api/json.ts'
import type { Store } from '#lib/storage/store.ts'

const savedPlace = z.object({ openIds: z.array(z.string()), anchor: scrollAnchor })

/** Where a reader is in an edition. The anchor is a memo's row. */
export type ReadingPlace = z.infer<typeof savedPlace>

const start: ReadingPlace = { openIds: [], anchor: null }

/** Returns the reader's place in an edition in this browser session; all memos closed, at the top, without one. */
export function findReadingPlace(store: Store, editionKey: string): ReadingPlace {
  return savedPlace.safeParse(parseJson(store.get(storeKey(editionKey)) ?? '')).data ?? start
}

export function saveReadingPlace(store: Store, editionKey: string, place: ReadingPlace): void {
  store.set(storeKey(editionKey), JSON.stringify(place))
}

function storeKey(editionKey: string): string {
  return `tidings:place:${editionKey}`
}
