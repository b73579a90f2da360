import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { likeMemoReply } from '@tidings/contracts/editions'
import { paths } from '@tidings/contracts/paths'
import * as z from 'zod/mini'
import { ApiError, postJson } from '#lib/api-client.ts'
import { parseJson } from '#lib/json.ts'
import type { Store } from '#lib/store.ts'
import { setLikes } from './edition-memos.ts'
import { saveLikeMark } from './like-marks.ts'

/** Likes that wait for a connection, by memo id: whether the last tap adds or removes the like. */
type PendingLikes = Readonly<Record<string, boolean>>

const storeKey = 'tidings:pending-likes'
const savedLikes = z.record(z.string(), z.boolean())

/** Reads the pending likes of this device. */
export function pendingLikes(store: Store) {
  return queryOptions({
    queryKey: ['pending-likes'],
    queryFn: () => listPendingLikes(store),
    initialData: () => listPendingLikes(store),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
}

function listPendingLikes(store: Store): PendingLikes {
  return savedLikes.safeParse(parseJson(store.get(storeKey) ?? '')).data ?? {}
}

/** Queues the last tap on a memo's heart, or removes it from the queue with null. */
export function setPendingLike(
  queryClient: QueryClient,
  store: Store,
  id: string,
  add: boolean | null,
): void {
  const { [id]: before, ...others } = listPendingLikes(store)
  if (add === (before ?? null)) return
  const next = add === null ? others : { ...others, [id]: add }
  store.set(storeKey, JSON.stringify(next))
  queryClient.setQueryData(pendingLikes(store).queryKey, next)
}

/** Saves a like: the server first, then this device's mark and the number on the page. */
export async function saveLike(queryClient: QueryClient, store: Store, id: string, add: boolean) {
  const { counter } = await postJson(paths.updateCounter, { id, add }, likeMemoReply)
  saveLikeMark(store, id, add ? 'added' : 'origin')
  setLikes(queryClient, id, counter)
  // A tap during the request stays in the queue.
  if (listPendingLikes(store)[id] === add) setPendingLike(queryClient, store, id, null)
}

/**
 * Sends the pending likes. A refused one leaves the queue, which takes it back.
 * @returns how many were refused
 */
export async function sendPendingLikes(queryClient: QueryClient, store: Store): Promise<number> {
  let refused = 0
  for (const [id, add] of Object.entries(listPendingLikes(store))) {
    try {
      await saveLike(queryClient, store, id, add)
    } catch (error) {
      // Without a connection, a working server or a gate pass, the rest waits.
      if (!(error instanceof ApiError) || error.status >= 500 || error.status === 401) break
      setPendingLike(queryClient, store, id, null)
      refused += 1
    }
  }
  return refused
}
