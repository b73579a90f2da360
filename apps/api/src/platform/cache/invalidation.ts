import { afterCommit, type Db } from '../database.ts'
import { type Notifications, notify } from '../notifications.ts'
import type { Cache } from './cache.ts'

/**
 * What a change makes stale, for the caches of every process. `at` drops it with the commit, `soon` allows
 * a short storm of changes to share a reload.
 */
export type InvalidatedKeys = { at?: readonly string[]; soon?: readonly string[] }

/** What `pg_notify` takes. */
export type Notification = { channel: string; payload: string }

export type Invalidation = {
  /** Tells every process, when the transaction commits, which cached answers no longer hold. */
  invalidate(db: Db, keys: InvalidatedKeys): Promise<void>
  /** Like `invalidate`, where the change's own statement sends the notification, which saves a round trip. */
  invalidateBy<T>(db: Db, keys: InvalidatedKeys, run: (notification: Notification) => Promise<T>): Promise<T>
  /** Tells every process that nothing it has cached holds, as after a change that everything shows. */
  invalidateAll(db: Db): Promise<void>
  /** Calls `hook` whenever a key no longer holds, so that it can be loaded before somebody asks. */
  onInvalidated(key: string, hook: () => void): void
}

// Room for the separators under Postgres' limit of 8,000 bytes; beyond it everything is dropped.
const longestPayload = 7_500
const everything = '*'
const channel = 'tidings_invalidate'

/** The payload that says which keys are invalid: separated by spaces, `~` before those that may wait. */
export function formatInvalidation(keys: InvalidatedKeys): string {
  const payload = [...(keys.at ?? []), ...(keys.soon ?? []).map((key) => `~${key}`)].join(' ')
  return Buffer.byteLength(payload) > longestPayload ? everything : payload
}

/** Keeps caches in step with every change that any process makes, and empties them when the line was lost. */
export function createInvalidation(
  notifications: Notifications,
  caches: readonly Pick<Cache<object>, 'drop' | 'dropSoon' | 'clear'>[],
): Invalidation {
  const hooks = new Map<string, () => void>()

  function apply(payload: string): void {
    for (const cache of caches) {
      if (payload === everything) cache.clear()
      else for (const part of payload.split(' ')) dropPart(cache, part)
    }
    for (const [key, hook] of hooks) {
      if (payload === everything || payload.split(' ').includes(key)) hook()
    }
  }
  function clearAll(): void {
    for (const cache of caches) cache.clear()
  }
  notifications.on(channel, apply)
  notifications.onLost(clearAll)
  notifications.onRestored(() => apply(everything))

  async function tell<T>(
    db: Db,
    payload: string,
    run: (notification: Notification) => Promise<T>,
  ): Promise<T> {
    const result = await run({ channel, payload })
    // Our own notification takes a moment to come back; whoever made the change reads it right away.
    afterCommit(db, () => apply(payload))
    return result
  }

  return {
    invalidate: (db, keys) =>
      tell(db, formatInvalidation(keys), ({ payload }) => notify(db, channel, payload)),
    invalidateBy: (db, keys, run) => tell(db, formatInvalidation(keys), run),
    invalidateAll: (db) => tell(db, everything, ({ payload }) => notify(db, channel, payload)),
    onInvalidated: (key, hook) => void hooks.set(key, hook),
  }
}

function dropPart(cache: Pick<Cache<object>, 'drop' | 'dropSoon'>, part: string): void {
  if (part.startsWith('~')) cache.dropSoon(part.slice(1))
  else cache.drop(part)
}
