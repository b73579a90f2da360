import type { RemovedHtml } from '@tidings/contracts/desk/desk'
import { listRemoved } from '#platform/html/clean-html.ts'

/** The response of a desk route. `etag` is set for one versioned resource. */
export type DeskReply = {
  status: number
  body: object
  etag: string | null
  /** Replaces the body by a file of this type. */
  file?: { type: string; content: string | Buffer }
}

/** Formats a version as an ETag: `"3"`. */
export function formatVersion(version: number): string {
  return `"${version}"`
}

/** Query of a list: `after` is the `next` of the previous page. */
export type PageQuery = { limit: number; after?: string | undefined }

export function replyWith(data: object, status = 200): DeskReply {
  return { status, body: { data }, etag: null }
}

export function versionedReply<Data extends { version: number }>(data: Data, status = 200): DeskReply {
  return { status, body: { data }, etag: formatVersion(data.version) }
}

/** Returns the reply to a write, with what cleaning removed from its HTML fields. */
export function cleanedReply<Data extends { version: number }>(
  data: Data,
  status: number,
  html: Readonly<Record<string, string | undefined>>,
): DeskReply {
  const removed: RemovedHtml[] = Object.entries(html)
    .map(([field, text = '']) => ({ field, removed: listRemoved(text) }))
    .filter((each) => each.removed.length > 0)
  return { status, body: { data, removed }, etag: formatVersion(data.version) }
}

/** Returns a page of `limit + 1` rows; the extra row tells that there is a next page. */
export function pageReply<Row>(
  rows: readonly Row[],
  limit: number,
  { map, next }: { map: (row: Row) => object; next: (last: Row) => string },
): DeskReply {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const hasMore = last !== undefined && rows.length > limit
  return { status: 200, body: { data: page.map(map), next: hasMore ? next(last) : null }, etag: null }
}
