import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Api } from '../../sites/api.ts'

// A notification is here within some 3 ms; whether each one was is counted afterwards.
const forgetMs = 15

/** Tells the processes on a database that these answers are stale, and gives them the time to hear it. */
export async function forget(database: pg.Client, keys: readonly string[], waitMs = forgetMs): Promise<void> {
  await database.query("SELECT pg_notify('tidings_invalidate', $1)", [keys.join(' ')])
  await pause(waitMs)
}

/** How many answers a process did not find in its memory so far. */
export async function countMisses({ url }: Api): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^tidings_cache_reads_total\{outcome="miss"\} (\d+)/m.exec(text)?.[1] ?? 0)
}
