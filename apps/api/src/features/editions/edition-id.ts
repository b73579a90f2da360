import {
  type CalendarDate,
  formatEditionKey,
  formatWireDate,
  looksLikeWireDate,
  parseEditionKey,
  parseWireDate,
} from '@tidings/contracts/edition-key'
import { cacheKeys } from '#platform/cache-keys.ts'
import { AppError } from '#platform/errors.ts'

/** One slot of one day: what an edition key names. */
export type EditionId = { date: CalendarDate; slot: string }

/** Reads a date of an address; throws `invalid-date` saying what is expected. */
export function getDate(text: string): CalendarDate {
  const date = parseWireDate(text)
  if (date !== null) return date
  throw looksLikeWireDate(text)
    ? new AppError('invalid-date', 400, 'There is no such day; MM-DD-YY is expected, such as 11-20-26.')
    : new AppError('invalid-date', 400, 'A date is written MM-DD-YY, such as 11-20-26.')
}

/** Reads an edition key of an address; throws `invalid-edition-key` or `invalid-date`. */
export function getEditionId(text: string): EditionId {
  const id = parseEditionKey(text)
  if (id !== null) return id
  if (looksLikeWireDate(text.slice(0, 8)) && text[8] === '-') getDate(text.slice(0, 8))
  throw new AppError(
    'invalid-edition-key',
    400,
    'An edition is written MM-DD-YY-slot, such as 11-20-26-10AM.',
  )
}

export function keyOf({ date, slot }: EditionId): string {
  return formatEditionKey(date, slot)
}

/** What is stale everywhere once an edition appears, disappears or changes as a whole. */
export function invalidatedKeysOf(id: EditionId): string[] {
  return [cacheKeys.edition(keyOf(id)), cacheKeys.timeList(formatWireDate(id.date)), cacheKeys.archive]
}
