import { afterCommit, type Db } from '../database.ts'
import { type Notifications, notify } from '../notifications/notifications.ts'
import type { Cache } from './cache.ts'

/** The cache keys that a change invalidates: `at` with the commit, `soon` after a quiet time, for bursts of changes. */
export type InvalidatedKeys = { at?: readonly string[]; soon?: readonly string[] }

/** The arguments of `pg_notify`. */
export type Notification = { channel: string; payload: string }

export type Invalidation = ReturnType<typeof createInvalidation>

// Leaves room below the 8,000 bytes that Postgres allows; longer payloads invalidate everything.
const maxPayloadBytes = 7_500
const everything = '*'
const channel = 'tidings_invalidate'

type InvalidatedCache = Pick<Cache<object>, 'drop' | 'dropSoon' | 'clear' | 'lose' | 'restore'>

/** Formats the payload: keys separated by spaces, with `~` before those of `soon`. */
export function formatInvalidation(keys: InvalidatedKeys): string {
  const payload = [...(keys.at ?? []), ...(keys.soon ?? []).map((key) => `~${key}`)].join(' ')
  return Buffer.byteLength(payload) > maxPayloadBytes ? everything : payload
}

/** Invalidates the caches of all processes, and stops using them while notifications are lost. */
export function createInvalidation(notifications: Notifications, caches: readonly InvalidatedCache[]) {
  const hooks = new Map<string, () => void>()

  function apply(payload: string): void {
    const parts = payload.split(' ')
    for (const cache of caches) {
      if (payload === everything) cache.clear()
      else for (const part of parts) dropPart(cache, part)
    }
    for (const [key, hook] of hooks) {
      if (payload === everything || parts.includes(key)) hook()
    }
  }
  notifications.on(channel, apply)
  notifications.onLost(() => {
    for (const cache of caches) cache.lose()
  })
  notifications.onRestored(() => {
    for (const cache of caches) cache.restore()
    apply(everything)
  })

  async function send<T>(db: Db, payload: string, run: (notification: Notification) => Promise<T>) {
    const result = await run({ channel, payload })
    // Our own notification arrives late; a caller that made the change must read it at once.
    afterCommit(db, () => apply(payload))
    return result
  }
  const notifyAll = (db: Db, payload: string): Promise<void> =>
    send(db, payload, () => notify(db, channel, payload))

  return {
    /** Invalidates keys in all processes when the transaction commits. */
    invalidate: (db: Db, keys: InvalidatedKeys) => notifyAll(db, formatInvalidation(keys)),
    /** Like `invalidate`, but `run` sends the notification in its own statement, which saves a round trip. */
    invalidateBy: <T>(db: Db, keys: InvalidatedKeys, run: (notification: Notification) => Promise<T>) =>
      send(db, formatInvalidation(keys), run),
    invalidateAll: (db: Db) => notifyAll(db, everything),
    /** Calls `hook` whenever a key is invalidated, so that it can be loaded again ahead of a request. */
    onInvalidated: (key: string, hook: () => void) => void hooks.set(key, hook),
  }
}

function dropPart(cache: InvalidatedCache, part: string): void {
  if (part.startsWith('~')) cache.dropSoon(part.slice(1))
  else cache.drop(part)
}
