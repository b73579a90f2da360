import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { likeMemo } from '@tidings/contracts/routes'
import { ApiError, call, NetworkError } from '#lib/api/api-client.ts'
import { parseJson } from '#lib/api/json.ts'
import type { Store } from '#lib/storage/store.ts'
import { setLikes } from './edition-memos.ts'

/** Likes that the server hasn't saved yet, by memo id: whether the last tap adds or removes the like. */
type PendingLikes = Readonly<Record<string, boolean>>

/** The mark that a device stores under a memo's id: liked, or liked once and unliked. */
type LikeMark = 'added' | 'origin'

const storeKey = 'tidings:pending-likes'

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
  // Without zod's records, which nothing else in the first chunk needs.
  const entries = Object.entries(parseJson(store.get(storeKey) ?? '') ?? {})
  return Object.fromEntries(
    entries.filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'),
  )
}

/** Queues a tap on a memo's heart, in place of an earlier one. */
export function queueLike(queryClient: QueryClient, store: Store, id: string): void {
  const isLiked = listPendingLikes(store)[id] ?? findLikeMark(store, id) === 'added'
  setPendingLike(queryClient, store, id, !isLiked)
}

/** Takes back the last tap on a memo's heart. */
export function takeBackLike(queryClient: QueryClient, store: Store, id: string): void {
  setPendingLike(queryClient, store, id, null)
}

function setPendingLike(queryClient: QueryClient, store: Store, id: string, add: boolean | null): void {
  const { [id]: _before, ...others } = listPendingLikes(store)
  const next = add === null ? others : { ...others, [id]: add }
  store.set(storeKey, JSON.stringify(next))
  queryClient.setQueryData(pendingLikes(store).queryKey, next)
}

/** Sends the last tap on a memo's heart, and then one made during the request. Only one at a time may run. */
export function likeSending(queryClient: QueryClient, store: Store, id: string) {
  return mutationOptions({
    mutationKey: ['like', id],
    async mutationFn() {
      for (let add = nextTap(); add !== undefined; add = nextTap()) {
        try {
          await saveLike(queryClient, store, id, add)
        } catch (error) {
          // A refused tap doesn't matter after another one.
          if (error instanceof NetworkError || nextTap() === add) throw error
        }
      }
    },
  })

  function nextTap(): boolean | undefined {
    return listPendingLikes(store)[id]
  }
}

/** Returns whether a memo's like is being sent. */
export function isLikeSending(queryClient: QueryClient, id: string): boolean {
  return queryClient.isMutating({ mutationKey: ['like', id] }) > 0
}

/** Saves a like: the server first, then this device's mark and the number on the page. */
async function saveLike(queryClient: QueryClient, store: Store, id: string, add: boolean) {
  const { counter } = await call(likeMemo, { body: { id, add } })
  saveLikeMark(store, id, add ? 'added' : 'origin')
  setLikes(queryClient, id, counter)
  if (listPendingLikes(store)[id] === add) takeBackLike(queryClient, store, id)
}

/**
 * Sends the pending likes. A refused one leaves the queue, which takes it back.
 * @returns how many were refused
 */
export async function sendPendingLikes(queryClient: QueryClient, store: Store): Promise<number> {
  let refused = 0
  for (const id of Object.keys(listPendingLikes(store))) {
    if (isLikeSending(queryClient, id)) continue
    try {
      await queryClient
        .getMutationCache()
        .build(queryClient, likeSending(queryClient, store, id))
        .execute(undefined)
    } catch (error) {
      // Without a connection, a working server or a gate pass, the rest waits.
      if (!(error instanceof ApiError) || error.status >= 500 || error.status === 401) break
      takeBackLike(queryClient, store, id)
      refused += 1
    }
  }
  return refused
}

/** Returns the device's mark for a memo; null before the first tap. */
export function findLikeMark(store: Store, memoId: string): LikeMark | null {
  const mark = store.get(memoId)
  return mark === 'added' || mark === 'origin' ? mark : null
}

function saveLikeMark(store: Store, memoId: string, mark: LikeMark): void {
  store.set(memoId, mark)
}
