import { type QueryClient, queryOptions, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import type { DeskEvent } from '@tidings/contracts/desk/events'
import { useEffect } from 'react'
import { useYou } from '#lib/desk-context.ts'

type PresenceEvent = Extract<DeskEvent, { type: 'presence' }>
/** A person or script at the desk, with the texts that they have open. */
export type Present = PresenceEvent['people'][number]
/** The text that is open in this window. */
export type PresencePlace = { memo: string | null; article: string | null }

export const nowhere: PresencePlace = { memo: null, article: null }

/** Everyone at the desk, as the socket last said. */
const presenceQuery = queryOptions<Present[]>({
  queryKey: ['presence'],
  queryFn: skipToken,
  staleTime: Infinity,
})

const placeQuery = queryOptions<PresencePlace>({
  queryKey: ['presence-place'],
  queryFn: skipToken,
  staleTime: Infinity,
})

/** Stores who is at the desk. */
export function storePresence(queryClient: QueryClient, people: Present[]): void {
  queryClient.setQueryData(presenceQuery.queryKey, people)
}

/** Tells the others at the desk which text is open, as long as the component is shown. */
export function usePresenceIn({ memo = null, article = null }: Partial<PresencePlace>): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    queryClient.setQueryData(placeQuery.queryKey, { memo, article })
    return () => void queryClient.setQueryData(placeQuery.queryKey, nowhere)
  }, [queryClient, memo, article])
}

/** Returns the text that is open in this window. */
export function useOwnPlace(): PresencePlace {
  return useQuery(placeQuery).data ?? nowhere
}

/** Returns the others who have one of these memos or articles open, without the person themselves. */
export function useOthersIn(ids: readonly string[]): Present[] {
  const { id: own } = useYou()
  const { data = [] } = useQuery(presenceQuery)
  return data.filter(
    ({ kind, id, memos, articles }) =>
      (kind !== 'person' || id !== own) && [...memos, ...articles].some((text) => ids.includes(text)),
  )
}
