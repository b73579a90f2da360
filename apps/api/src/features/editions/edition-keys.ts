import {
  type CalendarDate,
  formatEditionKey,
  formatWireDate,
  looksLikeWireDate,
  parseEditionKey,
  parseWireDate,
} from '@tidings/contracts/edition-key'
import { fromDatabaseDate } from '#platform/database-date.ts'
import { fail } from './editions.errors.ts'

/** A slot of a day, which an edition key names. */
export type EditionId = { date: CalendarDate; slot: string }

/** Parses the date in a URL. Throws `invalid-date`. */
export function getDate(text: string): CalendarDate {
  const date = parseWireDate(text)
  if (date !== null) return date
  throw fail('invalid-date', looksLikeWireDate(text) ? 'This day doesn’t exist.' : 'This isn’t a date.')
}

/** Parses the edition key in a URL. Throws `invalid-edition-key` or `invalid-date`. */
export function getEditionId(text: string): EditionId {
  const id = parseEditionKey(text)
  if (id !== null) return id
  if (looksLikeWireDate(text.slice(0, 8)) && text[8] === '-') getDate(text.slice(0, 8))
  throw fail('invalid-edition-key')
}

export function keyOf({ date, slot }: EditionId): string {
  return formatEditionKey(date, slot)
}

export function idOf({ date, slot }: { date: Date; slot: string }): EditionId {
  return { date: fromDatabaseDate(date), slot }
}

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
