import * as z from 'zod/mini'
import { parseJson } from '#lib/api/json.ts'
import type { Store } from '#lib/storage/store.ts'

const storeKey = 'tidings:read'
const maxIds = 500
const savedIds = z.array(z.string())

/** Returns the ids of the memos that were opened on this device, oldest first. */
export function listReadMemos(store: Store): readonly string[] {
  return savedIds.safeParse(parseJson(store.get(storeKey) ?? '')).data ?? []
}

/** Marks memos as read, forgetting the oldest beyond 500; returns the new list of ids. */
export function markMemosRead(store: Store, ids: readonly string[]): readonly string[] {
  const known = listReadMemos(store)
  const added = ids.filter((id) => !known.includes(id))
  if (added.length === 0) return known
  const all = [...known, ...added].slice(-maxIds)
  store.set(storeKey, JSON.stringify(all))
  return all
}
