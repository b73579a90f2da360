import { z } from 'zod'
import { resourceMissing } from './errors.ts'
import { integerBetween, object, text, timestamp } from './params.ts'
import type { WireObject } from './wire-object.ts'

/** The parameters of every list. */
export const pagination = {
  limit: integerBetween(1, 100).optional(),
  starting_after: text.optional(),
  ending_before: text.optional(),
}

type Pagination = {
  limit?: number | undefined
  starting_after?: string | undefined
  ending_before?: string | undefined
}

const range = object({
  gt: timestamp.optional(),
  gte: timestamp.optional(),
  lt: timestamp.optional(),
  lte: timestamp.optional(),
})

/** A time, or bounds around it. */
export const createdRange = z.union([timestamp, range])

/** The parameters of a list with creation times. */
export const listing = { ...pagination, created: createdRange.optional() }

export type CreatedRange = z.infer<typeof createdRange>

/** Returns whether a time in seconds is within the bounds, or has none. */
export function isWithin(bounds: CreatedRange | undefined, time: number): boolean {
  if (bounds === undefined) return true
  if (typeof bounds === 'number') return time === bounds
  const { gt = -1, gte = 0, lt = Infinity, lte = Infinity } = bounds
  return time > gt && time >= gte && time < lt && time <= lte
}

/**
 * Returns one page of a list. `records` are newest first; `url` is the list's path. Throws `resource_missing` for
 * an unknown cursor.
 */
export function listOf<Entry extends { id: string }>(
  records: readonly Entry[],
  { limit = 10, starting_after: after, ending_before: before }: Pagination,
  url: string,
  toWire: (entry: Entry) => WireObject,
): WireObject {
  const page = pageOf(records, limit, after, before)
  return { object: 'list', data: page.entries.map(toWire), has_more: page.hasMore, url }
}

/** Returns a list inside an object: its first page. */
export function listWithin(data: readonly WireObject[], url: string): WireObject {
  return { object: 'list', data: data.slice(0, 10), has_more: data.length > 10, url }
}

function pageOf<Entry extends { id: string }>(
  records: readonly Entry[],
  limit: number,
  after: string | undefined,
  before: string | undefined,
) {
  if (before !== undefined) {
    const end = positionOf(records, before, 'ending_before')
    const start = Math.max(0, end - limit)
    return { entries: records.slice(start, end), hasMore: start > 0 }
  }
  const start = after === undefined ? 0 : positionOf(records, after, 'starting_after') + 1
  return { entries: records.slice(start, start + limit), hasMore: start + limit < records.length }
}

function positionOf(records: readonly { id: string }[], id: string, param: string) {
  const position = records.findIndex((record) => record.id === id)
  if (position === -1) throw resourceMissing('object', id, param)
  return position
}
