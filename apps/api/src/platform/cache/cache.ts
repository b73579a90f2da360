import { LRUCache } from 'lru-cache'
import { type Aged, createLastKnown, type StaleOptions } from './last-known.ts'

type CacheOptions<V> = {
  maxBytes: number
  sizeOf: (value: V) => number
  /** False while invalidations cannot be received: then nothing is cached and every read loads. */
  isTrustworthy: () => boolean
  /** How long, in milliseconds, `dropSoon` lets a loaded value live. */
  quietMs: number
  /** After how many milliseconds a value is loaded again, because its invalidation may have been lost; 0 for never. */
  maxAgeMsOf?: (key: string) => number
  /** Uses the last known values while the database is unavailable. By default, loads fail then. */
  staleIfError?: StaleOptions | undefined
}

export type Cache<V extends object> = ReturnType<typeof createCache<V>>

/** Returns a cache bounded in bytes whose values are never older than the last invalidation received. */
export function createCache<V extends object>(options: CacheOptions<V>) {
  const { maxBytes, sizeOf, isTrustworthy, quietMs, maxAgeMsOf = () => 0, staleIfError } = options
  const lastKnown = staleIfError === undefined ? null : createLastKnown<V>({ maxBytes, sizeOf }, staleIfError)
  const loading = new Map<string, { expiresSoon: boolean }>()
  const loadedAt = new WeakMap<V, number>()
  const values = new LRUCache<string, V, () => Promise<V>>({
    maxSize: maxBytes,
    sizeCalculation: (value) => Math.max(1, sizeOf(value)),
    perf: { now: () => performance.now() },
    // A load whose key is dropped meanwhile still returns its value, but the value is not cached.
    ignoreFetchAbort: true,
    async fetchMethod(key, _stale, { options, context: load }) {
      const state = { expiresSoon: false }
      loading.set(key, state)
      try {
        const value = await load()
        loadedAt.set(value, performance.now())
        options.ttl = state.expiresSoon ? quietMs : maxAgeMsOf(key)
        return value
      } finally {
        if (loading.get(key) === state) loading.delete(key)
      }
    },
  })

  async function loadCurrent(key: string, load: () => Promise<V>): Promise<V> {
    if (!isTrustworthy()) return await load()
    const value = await values.forceFetch(key, { context: load })
    if (!isTrustworthy()) values.delete(key)
    else if (values.peek(key) === value) lastKnown?.set(key, value)
    return value
  }

  async function loadAged(key: string, load: () => Promise<V>): Promise<Aged<V>> {
    const kept = isTrustworthy() || lastKnown === null ? undefined : await lastKnown.instead(key)
    if (kept !== undefined) return kept
    const current = loadCurrent(key, load)
    if (lastKnown === null) return { value: await current, staleSeconds: null }
    try {
      return { value: await lastKnown.orOutage(current), staleSeconds: null }
    } catch (error) {
      return await lastKnown.after(error, key)
    }
  }

  return {
    /** Returns the cached value; the fast path. */
    peek: (key: string): V | undefined => (isTrustworthy() ? values.get(key) : undefined),

    /** Returns the cached value, or loads it. Callers during a load share it. */
    load: async (key: string, load: () => Promise<V>): Promise<V> => (await loadAged(key, load)).value,

    /** Returns whether there are values that are used while the database is unavailable. */
    servesWithoutDatabase: (): boolean => lastKnown?.hasAny() ?? false,

    /** Like `load`, and says whether the value is a stale one. */
    loadAged,

    /** Drops a value now; a load in progress is not cached. */
    drop(key: string): void {
      values.delete(key)
      lastKnown?.drop(key)
    },

    /** Drops a value once it is `quietMs` old, so that a burst of changes costs only a few loads. */
    dropSoon(key: string): void {
      const state = loading.get(key)
      if (state !== undefined) state.expiresSoon = true
      lastKnown?.age(key)
      const value = values.peek(key)
      if (value === undefined) return
      const ageMs = performance.now() - (loadedAt.get(value) ?? 0)
      if (ageMs >= quietMs) values.delete(key)
      else if (values.getRemainingTTL(key) > quietMs - ageMs) values.set(key, value, { ttl: quietMs - ageMs })
    },

    clear(): void {
      values.clear()
      lastKnown?.clear()
    },

    /** Stops using values, because invalidations no longer arrive. */
    lose(): void {
      values.clear()
      lastKnown?.lose()
    },

    /** Starts anew, because invalidations arrive again and some were missed. */
    restore(): void {
      values.clear()
      lastKnown?.clear()
      lastKnown?.restore()
    },
  }
}
