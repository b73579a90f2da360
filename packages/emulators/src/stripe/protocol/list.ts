import { resourceMissing } from './errors.ts'
import { integerBetween, text } from './params.ts'
import type { WireObject } from './wire-object.ts'

/** The parameters of every list. */
export const pagination = {
  limit: integerBetween(1, 100).optional(),
  starting_after: text.optional(),
}

type Pagination = {
  limit?: number | undefined
  starting_after?: string | undefined
}

/**
 * Returns one page of a list. `records` are newest first; `url` is the list's path. Throws `resource_missing` for
 * an unknown cursor.
 */
export function listOf<Entry extends { id: string }>(
  records: readonly Entry[],
  { limit = 10, starting_after: after }: Pagination,
  url: string,
  toWire: (entry: Entry) => WireObject,
): WireObject {
  const start = after === undefined ? 0 : positionOf(records, after) + 1
  const end = start + limit
  const data = records.slice(start, end).map(toWire)
  return { object: 'list', data, has_more: end < records.length, url }
}

/** Returns a list inside an object: its first page. */
export function listWithin(data: readonly WireObject[], url: string): WireObject {
  return { object: 'list', data: data.slice(0, 10), has_more: data.length > 10, url }
}

function positionOf(records: readonly { id: string }[], id: string) {
  const position = records.findIndex((record) => record.id === id)
  if (position === -1) throw resourceMissing('object', id, 'starting_after')
  return position
}
