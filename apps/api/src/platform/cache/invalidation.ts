import { afterCommit, type Db, type Sql } from '../database.ts'
import type { CoalescedNotifications } from '../notifications/coalesced-notifications.ts'
import { type Notifications, notify } from '../notifications/notifications.ts'
import type { Cache } from './cache.ts'

/** The cache keys that a change invalidates: `at` with the commit, `soon` after a quiet time, for bursts of changes. */
export type InvalidatedKeys = { at?: readonly string[]; soon?: readonly string[] }

export type Invalidation = ReturnType<typeof createInvalidation>

// Leaves room below the 8,000 bytes that Postgres allows; longer payloads invalidate everything.
const maxPayloadBytes = 7_500
const everything = '*'
const channel = 'tidings_invalidate'

type InvalidatedCache = Pick<Cache<object>, 'drop' | 'dropSoon' | 'clear' | 'lose' | 'restore'>

/** Formats the payload: keys separated by spaces, with `~` before those of `soon`. */
export function formatInvalidation(keys: InvalidatedKeys): string {
  const payload = partsOf(keys).join(' ')
  return Buffer.byteLength(payload) > maxPayloadBytes ? everything : payload
}

function partsOf({ at = [], soon = [] }: InvalidatedKeys): string[] {
  return [...at, ...soon.map((key) => `~${key}`)]
}

/** Divides parts into as few payloads as Postgres allows. */
function toPayloads(parts: readonly string[]): string[] {
  const payloads: string[] = []
  for (const part of parts) {
    const longer = `${payloads.at(-1)} ${part}`
    if (payloads.length > 0 && Buffer.byteLength(longer) <= maxPayloadBytes) payloads.splice(-1, 1, longer)
    else payloads.push(part)
  }
  return payloads
}

/** Invalidates the caches of all processes, and stops using them while notifications are lost. */
export function createInvalidation(
  { notifications, coalesced }: { notifications: Notifications; coalesced: CoalescedNotifications },
  caches: readonly InvalidatedCache[],
) {
  const hooks = new Map<string, () => void>()
  const notifyLater = coalesced.topic(channel, toPayloads)

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

  async function notifyAll(db: Db, payload: string): Promise<void> {
    await notify(db, channel, payload)
    // Our own notification arrives late; a caller that made the change must read it at once.
    afterCommit(db, () => apply(payload))
  }

  return {
    /** Invalidates keys in all processes when the transaction commits. */
    invalidate: (db: Db, keys: InvalidatedKeys) => notifyAll(db, formatInvalidation(keys)),
    /**
     * Invalidates keys in this process with the commit, and in the others up to 200 ms later; if this process dies before
     * that, when their values reach the caches' maximum age. For frequent changes: NOTIFY takes a global lock at commit.
     */
    invalidateLater(db: Sql, keys: InvalidatedKeys): void {
      afterCommit(db, () => {
        apply(formatInvalidation(keys))
        notifyLater(partsOf(keys))
      })
    },
    invalidateAll: (db: Db) => notifyAll(db, everything),
    /** Calls `hook` whenever a key is invalidated, so that it can be loaded again ahead of a request. */
    onInvalidated: (key: string, hook: () => void) => void hooks.set(key, hook),
  }
}

function dropPart(cache: InvalidatedCache, part: string): void {
  if (part.startsWith('~')) cache.dropSoon(part.slice(1))
  else cache.drop(part)
}
