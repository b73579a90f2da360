import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { editionReply } from '@tidings/contracts/editions'
import { editionUrl } from '@tidings/contracts/paths'
import { getJson } from '#lib/api-client.ts'
import type { Store } from '#lib/store.ts'
import { saveLastRead } from './last-read.ts'
import { type Memo, toMemo } from './memo.ts'

/**
 * Reads the memos of an edition, in order, and saves them on the device for reading offline.
 * @param key edition key, `11-20-26-10AM`
 */
export function memosOfEdition(key: string, deviceStore: Store) {
  return queryOptions({
    queryKey: memosKey(key),
    queryFn: async ({ signal }) => {
      const memos = await getJson(editionUrl(key), editionReply, signal)
      saveLastRead(deviceStore, key, memos)
      return memos.map(toMemo)
    },
  })
}

/** Adds a memo from the live feed to the end of its cached edition, if there is one. */
export function addMemo(queryClient: QueryClient, key: string, memo: Memo): void {
  queryClient.setQueryData<Memo[]>(memosKey(key), (memos) =>
    memos === undefined ? memos : [...memos.filter(({ id }) => id !== memo.id), memo],
  )
}

/** Changes a memo's number of likes in every cached edition. */
export function setLikes(queryClient: QueryClient, id: string, likes: number): void {
  queryClient.setQueriesData<Memo[]>({ queryKey: ['memos'] }, (memos) =>
    memos?.map((memo) => (memo.id === id ? { ...memo, likes } : memo)),
  )
}

/** Invalidates a cached edition, so that its memos return to the editors' order now or when it is next shown. */
export function refreshEdition(queryClient: QueryClient, key: string, when: 'now' | 'later'): Promise<void> {
  const refetchType = when === 'now' ? 'active' : 'none'
  return queryClient.invalidateQueries({ queryKey: memosKey(key), refetchType })
}

function memosKey(key: string) {
  return ['memos', key] as const
}
