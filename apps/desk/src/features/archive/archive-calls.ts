import { infiniteQueryOptions } from '@tanstack/react-query'
import * as routes from '@tidings/contracts/desk/routes'
import { call } from '#lib/api/call.ts'

/** The statuses of editions, in the order of the screen. */
export const statuses = ['draft', 'scheduled', 'published', 'held', 'withdrawn'] as const
export type Status = (typeof statuses)[number]

/** The address of the screen. */
export type ArchiveSearch = {
  q?: string | undefined
  status?: Status | undefined
  from?: string | undefined
  to?: string | undefined
  by?: string | undefined
}

/** The key of all that the archive has read. */
export const archiveKey = ['archive'] as const
const first: string | undefined = undefined
type PageContext = { pageParam: string | undefined; signal: AbortSignal }
const paging = {
  initialPageParam: first,
  getNextPageParam: ({ next }: { next: string | null }) => next ?? undefined,
}

// The address says who in a short word.
function queryOf<Filter extends { by?: string | undefined }>({ by, ...filter }: Filter) {
  return { ...filter, person: by }
}

/** The memos with the words of a search, page by page, newest day first. */
export function memoPages(search: ArchiveSearch) {
  return infiniteQueryOptions({
    queryKey: [...archiveKey, 'memos', search],
    queryFn: async ({ pageParam, signal }: PageContext) =>
      await call(
        routes.findMemos,
        { query: { ...queryOf(search), limit: 25, after: pageParam } },
        { signal },
      ),
    ...paging,
  })
}

/** The editions of a search without words, page by page, newest day first. */
export function editionPages({ q: _words, ...filters }: ArchiveSearch) {
  return infiniteQueryOptions({
    queryKey: [...archiveKey, 'editions', filters],
    queryFn: async ({ pageParam, signal }: PageContext) =>
      await call(
        routes.listEditions,
        { query: { ...queryOf(filters), limit: 60, after: pageParam } },
        { signal },
      ),
    ...paging,
  })
}

/** The memos that were deleted in the last 30 days, page by page. */
export function deletedPages({ status: _status, ...filters }: ArchiveSearch) {
  return infiniteQueryOptions({
    queryKey: [...archiveKey, 'deleted', filters],
    queryFn: async ({ pageParam, signal }: PageContext) =>
      await call(
        routes.listDeletedMemos,
        { query: { ...queryOf(filters), limit: 10, after: pageParam } },
        { signal },
      ),
    ...paging,
  })
}

/** Brings a deleted memo back to its edition and place. */
export async function bringBack(id: string): Promise<{ edition: string; isPublic: boolean }> {
  return (await call(routes.restoreDeletedMemo, { params: { id } })).data
}
