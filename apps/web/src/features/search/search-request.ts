import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { formatWireDate } from '@tidings/contracts/edition-key'
import * as routes from '@tidings/contracts/routes'
import { call } from '#lib/api/api-client.ts'
import { memberKey } from '#lib/member/member-queries.ts'

/** A search as the address of the screen has it. The days are ISO 8601, or '' without a limit. */
export type SearchRequest = { q: string; from: string; to: string }

/** Reads a search from the address. The router parses numbers, so that words may arrive as one. */
export function parseSearch(search: Record<string, unknown>): SearchRequest {
  return { q: textOf(search.q), from: textOf(search.from), to: textOf(search.to) }
}

/** Returns the parts of a search that are set, for the address of the screen. */
export function searchParams(request: SearchRequest): Partial<SearchRequest> {
  return Object.fromEntries(Object.entries(request).filter(([, text]) => text !== ''))
}

/** Returns whether the first day is after the last. */
export function isReversed({ from, to }: SearchRequest): boolean {
  return wireDay(from) !== null && wireDay(to) !== null && from > to
}

/** Reads the matches of a search, page by page. A new search aborts the one before. */
export function searchResults(request: SearchRequest, token: string | null) {
  const key = ['search', request] as const
  return infiniteQueryOptions({
    queryKey: token === null ? key : [memberKey, ...key],
    queryFn: ({ signal, pageParam }) =>
      call(routes.searchEditions, { query: queryOf(request, pageParam) }, { signal, token }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    enabled: request.q !== '' && !isReversed(request),
    placeholderData: keepPreviousData,
  })
}

function queryOf({ q, from, to }: SearchRequest, after: string) {
  return { q, from: wireDay(from) ?? undefined, to: wireDay(to) ?? undefined, after: after || undefined }
}

// A date that is being typed has a year such as 0002.
function wireDay(isoDate: string): string | null {
  const match = /^(20\d\d)-(\d\d)-(\d\d)$/.exec(isoDate)
  if (match === null) return null
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number)
  return formatWireDate({ year, month, day })
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : ''
}
