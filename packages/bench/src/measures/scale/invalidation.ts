import { setTimeout as pause } from 'node:timers/promises'
import { urlOf } from '@tidings/contracts/endpoint'
import { getMetrics } from '@tidings/contracts/ops'
import type pg from 'pg'
import type { Api } from '../../sites/api.ts'

// A notification arrives within about 3 ms. The counted misses show whether each one did.
const invalidationMs = 15

/** Invalidates cache keys in all processes of a database and waits for it. */
export async function invalidate(
  database: pg.Client,
  keys: readonly string[],
  waitMs = invalidationMs,
): Promise<void> {
  await database.query("SELECT pg_notify('tidings_invalidate', $1)", [keys.join(' ')])
  await pause(waitMs)
}

/** Returns a process's number of cache misses. */
export async function countMisses({ url }: Api): Promise<number> {
  const text = await (await fetch(url + urlOf(getMetrics))).text()
  return Number(/^tidings_cache_reads_total\{outcome="miss"\} (\d+)/m.exec(text)?.[1] ?? 0)
}
