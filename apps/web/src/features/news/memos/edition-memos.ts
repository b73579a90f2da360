import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { memoSchema, type Memo as WireMemo } from '@tidings/contracts/editions'
import * as routes from '@tidings/contracts/routes'
import { ApiError, callUnparsed, InvalidReplyError } from '#lib/api/api-client.ts'
import type { Store } from '#lib/storage/store.ts'
import { type Memo, toMemo } from '../memo.ts'
import { saveLastRead } from './last-read.ts'

const reported = new WeakSet<QueryClient>()

/**
 * Reads the memos of an edition, in order, and saves them on the device for reading offline.
 * @param key edition key, `11-20-26-10AM`
 */
export function memosOfEdition(key: string, deviceStore: Store) {
  return queryOptions({
    queryKey: memosKey(key),
    queryFn: async ({ client, signal }) => {
      const reading = callUnparsed(routes.listMemos, { params: { key } }, { signal })
      const reply = await reading.catch((error: unknown) => {
        // The edition was withdrawn while it was on the screen.
        if (isNotFound(error) && client.getQueryData(memosKey(key)) !== undefined) return []
        throw error
      })
      const { readable, error } = readableMemos(reply)
      if (error !== undefined && readable.length === 0)
        throw new InvalidReplyError(`No valid memo in ${key}`, { cause: error })
      if (error !== undefined) reportOnce(client, error)
      saveLastRead(deviceStore, key, readable)
      return readable.map(toMemo)
    },
  })
}

/** Returns the memos of an edition's reply that match the contract, and the error of the first that doesn't. */
export function readableMemos(reply: unknown): { readable: WireMemo[]; error: unknown } {
  if (!Array.isArray(reply)) return { readable: [], error: new TypeError('The reply is no list') }
  const results = reply.map((memo: unknown) => memoSchema.safeParse(memo))
  return {
    readable: results.flatMap(({ data }) => (data === undefined ? [] : [data])),
    error: results.find(({ success }) => !success)?.error,
  }
}

/**
 * Puts a memo from the live feed at its position, from 1, in its cached edition, if there is one. Returns whether the
 * edition must be read again, because earlier events may still be missing.
 */
export function putMemo(queryClient: QueryClient, key: string, memo: Memo, position: number): boolean {
  let isLast = false
  const wasReading = changeEdition(queryClient, key, (memos) => {
    const others = memos.filter(({ id }) => id !== memo.id)
    isLast = position === others.length + 1
    return others.toSpliced(position - 1, 0, memo)
  })
  return wasReading || (!isLast && findMemo(queryClient, key, memo.id) !== undefined)
}

/** Removes a withdrawn memo from its cached edition. Returns whether the edition must be read again. */
export function removeMemo(queryClient: QueryClient, key: string, id: string): boolean {
  return changeEdition(queryClient, key, (memos) => memos.filter((memo) => memo.id !== id))
}

/** Returns a memo of a cached edition. */
export function findMemo(queryClient: QueryClient, key: string, id: string): Memo | undefined {
  return queryClient.getQueryData<Memo[]>(memosKey(key))?.find((memo) => memo.id === id)
}

/** Returns whether the edition was being read: that reply may be older than the change, so it is not used. */
function changeEdition(queryClient: QueryClient, key: string, change: (memos: Memo[]) => Memo[]): boolean {
  const queryKey = memosKey(key)
  const wasReading = queryClient.isFetching({ queryKey, exact: true }) > 0
  const isCached = queryClient.getQueryData(queryKey) !== undefined
  if (wasReading && isCached) void queryClient.cancelQueries({ queryKey, exact: true })
  if (isCached) queryClient.setQueryData<Memo[]>(queryKey, (memos) => memos && change(memos))
  return wasReading
}

/** Changes a memo's number of likes in every cached edition. */
export function setLikes(queryClient: QueryClient, id: string, likes: number): void {
  queryClient.setQueriesData<Memo[]>({ queryKey: ['memos'] }, (memos) =>
    memos?.map((memo) => (memo.id === id ? { ...memo, likes } : memo)),
  )
}

/** Changes a memo's number of likes by one, after a tap in another tab. */
export function addLikes(queryClient: QueryClient, id: string, change: 1 | -1): void {
  queryClient.setQueriesData<Memo[]>({ queryKey: ['memos'] }, (memos) =>
    memos?.map((memo) => (memo.id === id ? { ...memo, likes: memo.likes + change } : memo)),
  )
}

/** Reads a cached edition again. */
export function refreshEdition(queryClient: QueryClient, key: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: memosKey(key) })
}

/** Reports an invalid memo, once per page: the edition is read often. */
function reportOnce(client: QueryClient, cause: unknown): void {
  if (reported.has(client)) return
  reported.add(client)
  reportError(new Error('An invalid memo was left out', { cause }))
}

function memosKey(key: string) {
  return ['memos', key] as const
}

function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}
