import { z } from 'zod'
import { resourceMissing } from './errors.ts'
import { integerBetween, object, text, timestamp } from './params.ts'
import type { WireObject } from './wire-object.ts'

/** The parameters of every list; spread into its object. */
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

/** A moment, or the bounds between which it lies. */
export const createdRange = z.union([timestamp, range])

/** The parameters of a list by time of creation; spread into its object. */
export const listing = { ...pagination, created: createdRange.optional() }

export type CreatedRange = z.infer<typeof createdRange>

/** Whether a time in seconds lies within what was asked for; without bounds it does. */
export function isWithin(bounds: CreatedRange | undefined, time: number): boolean {
  if (bounds === undefined) return true
  if (typeof bounds === 'number') return time === bounds
  const { gt = -1, gte = 0, lt = Infinity, lte = Infinity } = bounds
  return time > gt && time >= gte && time < lt && time <= lte
}

/**
 * One page of a list, as every list of the API is answered. `records` are all of them, the newest first; `url` is the
 * path of the list below the host. Throws `resource_missing` when the page hangs on something that is not among them.
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

/** A list that is part of an object: its first page. */
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
