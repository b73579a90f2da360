import { type CalendarDate, parseEditionKey } from '@tidings/contracts/edition-key'
import { editionReply, type Memo as WireMemo } from '@tidings/contracts/editions'
import * as z from 'zod/mini'
import { parseJson } from '#lib/api/json.ts'
import type { Store } from '#lib/storage/store.ts'
import { type Memo, toMemo } from '../memo.ts'

const storeKey = 'tidings:last-read'
const savedMemos = z.object({ key: z.string(), memos: editionReply })

/** The edition that was last read on this device. */
export type SavedEdition = { key: string; date: CalendarDate; slot: string; memos: Memo[] }

/** Saves an edition's memos as the API sent them. */
export function saveLastRead(store: Store, key: string, memos: readonly WireMemo[]): void {
  store.set(storeKey, JSON.stringify({ key, memos }))
}

/** Deletes the saved edition. */
export function removeLastRead(store: Store): void {
  store.remove(storeKey)
}

/** Returns the edition that was last read on this device; null when there is none or its format is outdated. */
export function findLastRead(store: Store): SavedEdition | null {
  const saved = savedMemos.safeParse(parseJson(store.get(storeKey) ?? ''))
  const edition = saved.success ? parseEditionKey(saved.data.key) : null
  if (!saved.success || edition === null) return null
  return { key: saved.data.key, ...edition, memos: saved.data.memos.map(toMemo) }
}
