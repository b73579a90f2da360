import { parseEditionKey } from '@tidings/contracts/edition-key'
import type { Store } from '../../lib/store.ts'
import { isRecord, listOf, parseJson, textOf } from '../../lib/wire-reading.ts'
import { type Memo, parseMemo } from './memo.ts'

const storeKey = 'tidings:last-read'

/** The edition that was read last on this device. */
export type LastRead = { key: string; memos: Memo[] }

/** Keeps an edition's memos as the wire had them. */
export function keepLastRead(store: Store, key: string, wireMemos: unknown): void {
  store.set(storeKey, JSON.stringify({ key, memos: wireMemos }))
}

/** What was last read on this device; null when nothing was, or when it can't be read any more. */
export function readLastRead(store: Store): LastRead | null {
  const kept = parseJson(store.get(storeKey) ?? '')
  if (!isRecord(kept)) return null
  const key = textOf(kept, 'key')
  const memos = listOf(kept.memos, parseMemo)
  return parseEditionKey(key) === null || memos === null ? null : { key, memos }
}
