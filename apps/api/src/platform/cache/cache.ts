import { LRUCache } from 'lru-cache'

/** Keeps loaded values until they are said to be stale. */
export type Cache<V> = {
  /** The value if it is here and fresh; the fast path. */
  peek(key: string): V | undefined
  /** The value, loaded when it is not here. Callers that come while it loads wait for the same load. */
  load(key: string, load: () => Promise<V>): Promise<V>
  /** Forgets a value at once; a load under way is not kept either. */
  drop(key: string): void
  /**
   * Forgets a value soon: at once when it is old enough, else when it has been kept for a moment. For
   * changes that come in storms (likes), so that each storm costs a few loads and not one for each change.
   */
  dropSoon(key: string): void
  clear(): void
}

type Load<V> = { value: Promise<V> | null; doomed: boolean; invalidateSoon: boolean }

export type CacheOptions<V> = {
  maxBytes: number
  sizeOf: (value: V) => number
  /** False while changes cannot be heard: nothing is kept then, every read loads. */
  isTrustworthy: () => boolean
  /** How long, in milliseconds, a value is kept at least under `dropSoon`. */
  quietMs: number
}

/** A cache whose values are bounded by their bytes and never older than the last change that was heard. */
export function createCache<V extends object>(options: CacheOptions<V>): Cache<V> {
  const values = new LRUCache<string, V>({
    maxSize: options.maxBytes,
    sizeCalculation: (value) => Math.max(1, options.sizeOf(value)),
  })
  const loads = new Map<string, Load<V>>()
  const quiet = new Map<string, NodeJS.Timeout>()
  const dropAfterQuiet = new Set<string>()

  function keep(key: string, value: V): void {
    values.set(key, value)
    clearTimeout(quiet.get(key))
    const timer = setTimeout(() => {
      quiet.delete(key)
      if (dropAfterQuiet.delete(key)) values.delete(key)
    }, options.quietMs)
    timer.unref()
    quiet.set(key, timer)
  }

  async function run(key: string, load: () => Promise<V>, entry: Load<V>): Promise<V> {
    try {
      const value = await load()
      if (!entry.doomed && options.isTrustworthy()) {
        keep(key, value)
        if (entry.invalidateSoon) dropAfterQuiet.add(key)
      }
      return value
    } finally {
      if (loads.get(key) === entry) loads.delete(key)
    }
  }

  function drop(key: string): void {
    values.delete(key)
    dropAfterQuiet.delete(key)
    clearTimeout(quiet.get(key))
    quiet.delete(key)
    const load = loads.get(key)
    if (load !== undefined) {
      load.doomed = true
      loads.delete(key)
    }
  }

  return {
    peek: (key) => (options.isTrustworthy() ? values.get(key) : undefined),
    load(key, load) {
      const running = loads.get(key)
      if (running?.value != null && options.isTrustworthy()) return running.value
      // A load that begins while changes cannot be heard may miss one, so it is never kept.
      const entry: Load<V> = { value: null, doomed: !options.isTrustworthy(), invalidateSoon: false }
      loads.set(key, entry)
      const value = run(key, load, entry)
      entry.value = value
      return value
    },
    drop,
    dropSoon(key) {
      const load = loads.get(key)
      if (load !== undefined) load.invalidateSoon = true
      if (!values.has(key)) return
      if (quiet.has(key)) dropAfterQuiet.add(key)
      else values.delete(key)
    },
    clear() {
      for (const load of loads.values()) load.doomed = true
      loads.clear()
      for (const timer of quiet.values()) clearTimeout(timer)
      quiet.clear()
      dropAfterQuiet.clear()
      values.clear()
    },
  }
}
