import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { CommentContext, CommentDecision } from '@tidings/contracts/desk/comments'
import * as routes from '@tidings/contracts/desk/routes'
import { call } from '#lib/api/call.ts'

/** Which comments are shown. */
export const commentFilters = ['reported', 'new', 'hidden', 'all'] as const
export type CommentFilter = (typeof commentFilters)[number]

/** The address of the screen. */
export type CommentSearch = { show: CommentFilter; q?: string }

/** The key of all that is known about comments. */
export const commentsKey = ['comments'] as const

/** The comments of a filter, page by page. */
export function commentPages({ show, q }: CommentSearch) {
  const first: string | undefined = undefined
  return infiniteQueryOptions({
    queryKey: [...commentsKey, 'list', show, q ?? ''],
    async queryFn({ pageParam, signal }: { pageParam: string | undefined; signal: AbortSignal }) {
      return await call(routes.listComments, { query: { show, q, after: pageParam } }, { signal })
    },
    initialPageParam: first,
    getNextPageParam: ({ next }) => next ?? undefined,
  })
}

/** A comment with those around it and its author. */
export function contextOf(id: string) {
  return queryOptions({
    queryKey: [...commentsKey, 'context', id],
    queryFn: async ({ signal }): Promise<CommentContext> =>
      (await call(routes.getCommentContext, { params: { id } }, { signal })).data,
  })
}

/** A decision about comments. */
export type Decision =
  | { deed: 'hide' | 'show' | 'keep'; ids: string[] }
  | { deed: 'hide-author' | 'show-author'; memberId: string; name: string }

/** The outcome of a decision, and the one that undoes it. */
export type Decided = { text: string; undo: Decision | null }

/** Sends a decision. */
export async function decide(decision: Decision): Promise<Decided> {
  if ('memberId' in decision) {
    const { deed, memberId, name } = decision
    const hidden = deed === 'hide-author'
    await call(routes.moderateAuthor, { params: { memberId }, body: { hidden } })
    return hidden
      ? { text: `Hidden: all comments by ${name}.`, undo: { ...decision, deed: 'show-author' } }
      : { text: `Shown again: the comments by ${name}.`, undo: { ...decision, deed: 'hide-author' } }
  }
  const { deed, ids } = decision
  if (deed === 'keep') {
    const { data } = await call(routes.keepComments, { body: { ids } })
    return { text: `Kept: ${countText(changedIds(data))}.`, undo: null }
  }
  const { data } = await call(routes.hideComments, { body: { ids, hidden: deed === 'hide' } })
  const changed = changedIds(data)
  return {
    text: `${deed === 'hide' ? 'Hidden' : 'Shown again'}: ${countText(changed)}.`,
    undo: changed.length === 0 ? null : { deed: deed === 'hide' ? 'show' : 'hide', ids: changed },
  }
}

function changedIds({ changed }: CommentDecision): string[] {
  return changed
}

function countText({ length }: readonly string[]): string {
  return length === 1 ? '1 comment' : `${length} comments`
}
