import { formatWireDate } from '@tidings/contracts/edition-key'
import { type EditionId, keyOf } from './edition-id.ts'

export const editionCacheKeys = {
  /** Returns the key of an edition's memos and the pictures that they use. */
  edition: (editionKey: string) => `edition:${editionKey}`,
  /** Returns the key of the slots of a day, `MM-DD-YY`. */
  timeList: (wireDate: string) => `times:${wireDate}`,
  archive: 'archive',
  /** The lists in the page's shell. */
  start: 'start',
  /** The newest editions with their memos. */
  feeds: 'feeds',
} as const

/** Returns the cache keys that a change of the edition's status invalidates. */
export function invalidatedKeysOf(id: EditionId): string[] {
  const { edition, timeList, archive, start, feeds } = editionCacheKeys
  return [edition(keyOf(id)), timeList(formatWireDate(id.date)), archive, start, feeds]
}
