import type { DeskCommentQuery } from '@tidings/contracts/desk/comments'
import {
  findForModeration,
  listForModeration,
  listReported,
  type ModeratedComment,
  type ModerationFilter,
} from '#features/comments/index.ts'
import { boundsOfDay } from '#features/editions/index.ts'
import type { Db } from '#platform/database.ts'
import { fromDatabaseDate } from '#platform/database-date.ts'
import { invalidField } from '#platform/fields.ts'
import { formatCursor, mergeNewest, parseCursor } from './newest-comments.ts'

/** A page of comments, and where the next one begins. */
export type CommentPage = { rows: ModeratedComment[]; next: string | null }

const newMs = 24 * 3_600_000

/** Returns since when a comment counts as new. */
export function newSince(now: Date): Date {
  return new Date(now.getTime() - newMs)
}

/** Lists a page of comments for the desk. */
export async function listCommentPage(
  db: Db,
  query: DeskCommentQuery,
  { now, timeZone }: { now: Date; timeZone: string },
): Promise<CommentPage> {
  if (query.show === 'reported') return await listReportedPage(db, query)
  const { limit, after, show, hidden } = query
  const boundsOf = (day: string) => boundsOfDay(fromDatabaseDate(new Date(day)), timeZone)
  const sinceNew = show === 'new' ? newSince(now) : null
  const from = query.from === undefined ? null : boundsOf(query.from).from
  const filter: ModerationFilter = {
    channelKey: query.channelKey ?? null,
    memberId: query.memberId ?? null,
    hidden: { new: false, hidden: true, all: hidden === undefined ? null : hidden === 'true' }[show],
    since: sinceNew !== null && from !== null && from > sinceNew ? from : (sinceNew ?? from),
    until: query.to === undefined ? null : boundsOf(query.to).until,
    q: query.q ?? null,
  }
  if (after !== undefined && after.split('-').length !== 2) throw wrongCursor()
  const cursor = parseCursor(after)
  const [posts, threads] = await Promise.all([
    listForModeration(db, 'post', filter, { before: cursor.post, limit: limit + 1 }),
    listForModeration(db, 'thread', filter, { before: cursor.thread, limit: limit + 1 }),
  ])
  const merged = mergeNewest(posts, threads)
  const rows = merged.slice(0, limit)
  return { rows, next: merged.length > limit ? formatCursor(cursor, rows) : null }
}

async function listReportedPage(db: Db, { limit, after }: DeskCommentQuery): Promise<CommentPage> {
  if (after?.split('-').length === 2) throw wrongCursor()
  const places = await listReported(db, { after: after ?? null, limit: limit + 1 })
  const page = places.slice(0, limit)
  const found = await findForModeration(
    db,
    page.map(({ id }) => id),
  )
  const rows = page.flatMap(({ id }) => found.find((row) => row.id === id) ?? [])
  return { rows, next: places.length > limit ? (page.at(-1)?.place ?? null) : null }
}

function wrongCursor(): Error {
  return invalidField('after', "must be the 'next' of the page before")
}
