import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { DeskMember, MemberSearch } from '@tidings/contracts/desk/members'
import * as routes from '@tidings/contracts/desk/routes'
import { call } from '#lib/api/call.ts'

const first: string | undefined = undefined
type PageContext = { pageParam: string | undefined; signal: AbortSignal }

// Each search and each look is in the log, so none is repeated without need.
const rarely = { staleTime: 300_000, refetchOnWindowFocus: false } as const

/** The members of a search, page by page. */
export function memberPages(search: MemberSearch | null) {
  return infiniteQueryOptions({
    queryKey: ['members', 'found', search],
    enabled: search !== null,
    queryFn: async ({ pageParam, signal }: PageContext) =>
      await call(
        routes.findMembers,
        { query: { limit: 25, after: pageParam }, body: search ?? { name: '' } },
        { signal },
      ),
    initialPageParam: first,
    getNextPageParam: ({ next }: { next: string | null }) => next ?? undefined,
    ...rarely,
  })
}

/** A member with plans, choices, suppression and the newest deliveries. */
export function memberQuery(id: string) {
  return queryOptions({
    queryKey: ['members', 'one', id],
    queryFn: async ({ signal }): Promise<DeskMember> =>
      (await call(routes.getDeskMember, { params: { id } }, { signal })).data,
    ...rarely,
  })
}

/** The deliveries of a member after those that their own page has. */
export function olderDeliveries(id: string, after: string | null) {
  return infiniteQueryOptions({
    queryKey: ['members', 'deliveries', id, after],
    enabled: after !== null,
    queryFn: async ({ pageParam, signal }: PageContext) =>
      await call(
        routes.searchDeliveries,
        { query: { limit: 30, after: pageParam }, body: { member: id } },
        { signal },
      ),
    initialPageParam: after ?? first,
    getNextPageParam: ({ next }: { next: string | null }) => next ?? undefined,
    ...rarely,
  })
}

/** Sends to the member's email address again. */
export async function liftSuppression(id: string): Promise<DeskMember> {
  return (await call(routes.liftSuppression, { params: { id } })).data
}

/** Returns whom these words find: an id, an address, a number or a name; null while they are too few. */
export function memberSearchOf(words: string): MemberSearch | null {
  const text = words.trim()
  if (text.startsWith('mem_')) return /^mem_[0-9A-Za-z]{1,28}$/.test(text) ? { member: text } : null
  if (text.includes('@')) return /^\S+@\S+\.\S{2,}$/.test(text) ? { address: text } : null
  if (/^[+(\d][\d\s().-]*$/.test(text)) return text.replace(/\D/g, '').length >= 7 ? { number: text } : null
  return /[\p{L}\p{N}].*[\p{L}\p{N}]/u.test(text) ? { name: text } : null
}
