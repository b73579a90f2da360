import type { Page } from '../stored/comment-lists.repository.ts'

/** A page as the query of a list asks for it. */
export function toPage(query: { after?: string | undefined; order: Page['order']; limit: number }): Page {
  const { after, order, limit } = query
  return { after: after === undefined ? null : BigInt(after), order, limit }
}
