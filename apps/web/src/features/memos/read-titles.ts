import type { Store } from '../../lib/store.ts'
import { listOf, parseJson } from '../../lib/wire-reading.ts'

const storeKey = 'tidings:read'
const rememberedMemos = 500

/** Ids of the memos that were opened on this device, oldest first; the oldest are forgotten in time. */
export function readTitles(store: Store): readonly string[] {
  return listOf(parseJson(store.get(storeKey) ?? ''), (id) => (typeof id === 'string' ? id : null)) ?? []
}

/** Notes that memos were opened; answers the ids as they are now. */
export function keepReadTitles(store: Store, ids: readonly string[]): readonly string[] {
  const known = readTitles(store)
  const fresh = ids.filter((id) => !known.includes(id))
  if (fresh.length === 0) return known
  const kept = [...known, ...fresh].slice(-rememberedMemos)
  store.set(storeKey, JSON.stringify(kept))
  return kept
}
