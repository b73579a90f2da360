import { LRUCache } from 'lru-cache'
import type { DatabaseAvailability } from '../availability/database-availability.ts'
import { DatabaseUnavailableError, isDatabaseUnavailable } from '../database.ts'

/** A value, and for how many seconds it may have been out of date; null if it is current. */
export type Aged<V> = { value: V; staleSeconds: number | null }

export type StaleOptions = {
  availability: Pick<DatabaseAvailability, 'check' | 'onAvailable'>
  /** How long a value may be used after it was last known to be current. */
  staleMs: number
}

/**
 * Keeps the last value of each key for `stale-if-error` (RFC 5861). Values dropped by an invalidation are gone, and all of
 * them are once the database is found while invalidations cannot arrive.
 */
export function createLastKnown<V extends object>(
  { maxBytes, sizeOf }: { maxBytes: number; sizeOf: (value: V) => number },
  { availability, staleMs }: StaleOptions,
) {
  const values = new LRUCache<string, V>({
    maxSize: maxBytes,
    sizeCalculation: (value) => Math.max(1, sizeOf(value)),
  })
  const changedAt = new Map<string, number>()
  /** Rejects the loads in progress: those of a silent connection would wait for their timeout. */
  const pending = new Set<(error: Error) => void>()
  let lostAt: number | null = null
  availability.onAvailable(() => {
    if (lostAt !== null) clear()
  })

  function clear(): void {
    values.clear()
    changedAt.clear()
  }

  function find(key: string): Aged<V> | undefined {
    const value = values.get(key)
    if (value === undefined) return
    const now = performance.now()
    const ageMs = now - Math.min(changedAt.get(key) ?? now, lostAt ?? now)
    return ageMs > staleMs ? undefined : { value, staleSeconds: Math.round(ageMs / 1_000) }
  }

  return {
    set(key: string, value: V): void {
      changedAt.delete(key)
      values.set(key, value)
    },
    drop(key: string): void {
      changedAt.delete(key)
      values.delete(key)
    },
    /** Notes that a value changes: its age counts from now. */
    age(key: string): void {
      if (values.has(key) && !changedAt.has(key)) changedAt.set(key, performance.now())
    },
    clear,
    /** Returns whether there are values that may be used without a database. */
    hasAny: (): boolean => values.size > 0 && (lostAt === null || performance.now() - lostAt <= staleMs),
    /** Notes that invalidations no longer arrive, and checks whether the database is available without them. */
    lose(): void {
      lostAt = performance.now()
      void availability.check().then((isAvailable) => {
        if (isAvailable) return
        for (const reject of pending) reject(new DatabaseUnavailableError('The database is unavailable.'))
      })
    },
    restore(): void {
      lostAt = null
    },
    /** Awaits a load; rejects before it ends if the database is found to be unavailable. */
    async orOutage(work: Promise<V>): Promise<V> {
      const { promise, reject } = Promise.withResolvers<never>()
      pending.add(reject)
      try {
        return await Promise.race([work, promise])
      } finally {
        pending.delete(reject)
      }
    },
    /** Returns the value to use instead of a load, while invalidations cannot arrive: only without a database. */
    async instead(key: string): Promise<Aged<V> | undefined> {
      if (find(key) === undefined || (await availability.check())) return
      return find(key)
    },
    /** Returns the value to use after a failed load; throws its error unless the database is unavailable. */
    async after(error: unknown, key: string): Promise<Aged<V>> {
      if (!isDatabaseUnavailable(error)) throw error
      const check = availability.check()
      // With a database and without invalidations, nothing kept is known to be current.
      if (lostAt !== null) await check
      const kept = find(key)
      if (kept === undefined) throw error
      return kept
    },
  }
}
