import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { editionUrl } from '@tidings/contracts/paths'
import { getJson } from '../../lib/api-client.ts'
import type { Store } from '../../lib/store.ts'
import { listOf } from '../../lib/wire-reading.ts'
import { keepLastRead } from './last-read.ts'
import { type Memo, parseMemo } from './memo.ts'

/**
 * Reads the memos of an edition, in order, and keeps them on the device for reading offline.
 * @param key edition key, `11-20-26-10AM`
 */
export function memosOfEdition(key: string, deviceStore: Store) {
  return queryOptions({
    queryKey: memosKey(key),
    queryFn: async ({ signal }) => {
      const reply = await getJson(editionUrl(key), (body) => readMemos(body), signal)
      keepLastRead(deviceStore, key, reply.wire)
      return reply.memos
    },
  })
}

/** Adds a memo that came by the live feed at the end of its edition, if that was ever read. */
export function addMemo(queryClient: QueryClient, key: string, memo: Memo): void {
  changeMemos(queryClient, key, (memos) => [...memos.filter(({ id }) => id !== memo.id), memo])
}

/** Changes a memo's number of likes wherever the cache shows it. */
export function setLikes(queryClient: QueryClient, id: string, likes: number): void {
  queryClient.setQueriesData<Memo[]>({ queryKey: ['memos'] }, (memos) =>
    memos?.map((memo) => (memo.id === id ? { ...memo, likes } : memo)),
  )
}

/** Reads an edition again, at once or when it is next looked at, so that its memos stand in the editors' order. */
export function settleOrder(queryClient: QueryClient, key: string, when: 'now' | 'later'): Promise<void> {
  const refetchType = when === 'now' ? 'active' : 'none'
  return queryClient.invalidateQueries({ queryKey: memosKey(key), refetchType })
}

function memosKey(key: string) {
  return ['memos', key] as const
}

function changeMemos(queryClient: QueryClient, key: string, change: (memos: Memo[]) => Memo[]): void {
  queryClient.setQueryData<Memo[]>(memosKey(key), (memos) => (memos === undefined ? memos : change(memos)))
}

function readMemos(body: unknown): { memos: Memo[]; wire: unknown } | null {
  const memos = listOf(body, parseMemo)
  return memos === null ? null : { memos, wire: body }
}
