import { beforeEach, describe, expect, it, vi } from 'vitest'
import { DatabaseUnavailableError } from '../database.ts'
import { createCache } from './cache.ts'

type Value = { text: string }

const staleMs = 600_000

/** Creates a cache whose database and invalidations the test takes away. */
function createTestCache() {
  const state = { arrive: true, database: true, loads: 0, text: 'first' }
  const found: (() => void)[] = []
  const cache = createCache<Value>({
    maxBytes: 1_000,
    sizeOf: ({ text }) => text.length,
    isTrustworthy: () => state.arrive,
    quietMs: 250,
    staleIfError: {
      staleMs,
      availability: {
        async check() {
          if (state.database) for (const handler of found) handler()
          return state.database
        },
        onAvailable: (handler) => void found.push(handler),
      },
    },
  })
  async function read() {
    return await cache.loadAged('a', async () => {
      state.loads += 1
      if (!state.database) throw new DatabaseUnavailableError('away')
      return { text: state.text }
    })
  }
  return {
    state,
    cache,
    read,
    lose: async () => {
      state.arrive = false
      cache.lose()
      await vi.advanceTimersByTimeAsync(0)
    },
    restore: () => {
      state.arrive = true
      cache.restore()
    },
    find: () => {
      for (const handler of found) handler()
    },
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.advanceTimersByTime(1)
  return () => vi.useRealTimers()
})

describe('a cache while the database is unavailable', () => {
  it('returns the last known value with its age, without a load', async () => {
    const { state, read, lose } = createTestCache()
    await read()
    state.database = false
    await lose()
    vi.advanceTimersByTime(42_000)
    expect(await read()).toEqual({ value: { text: 'first' }, staleSeconds: 42 })
    expect(state.loads).toBe(1)
  })

  it('has nothing for what it never held, and nothing after the time', async () => {
    const { state, read, lose } = createTestCache()
    await lose()
    state.database = false
    await expect(read()).rejects.toThrow('away')

    const old = createTestCache()
    await old.read()
    old.state.database = false
    await old.lose()
    vi.advanceTimersByTime(staleMs + 1)
    await expect(old.read()).rejects.toThrow('away')
  })

  it('serves without a database while it has values that are not too old', async () => {
    const { cache, state, read, lose } = createTestCache()
    expect(cache.servesWithoutDatabase()).toBe(false)
    await read()
    state.database = false
    await lose()
    expect(cache.servesWithoutDatabase()).toBe(true)
    vi.advanceTimersByTime(staleMs + 1)
    expect(cache.servesWithoutDatabase()).toBe(false)
  })

  it('never returns what was dropped before', async () => {
    const { state, cache, read, lose } = createTestCache()
    await read()
    cache.drop('a')
    state.database = false
    await lose()
    await expect(read()).rejects.toThrow('away')
  })

  it('returns what a burst of likes had begun to drop', async () => {
    const { state, cache, read } = createTestCache()
    await read()
    cache.dropSoon('a')
    vi.advanceTimersByTime(3_000)
    state.database = false
    expect(await read()).toEqual({ value: { text: 'first' }, staleSeconds: 3 })
  })

  it('ends a load that waits for the database', async () => {
    const { state, cache, read, lose } = createTestCache()
    await read()
    cache.dropSoon('a')
    vi.advanceTimersByTime(3_000)
    const waiting = cache.loadAged('a', () => new Promise(() => undefined))
    state.database = false
    await lose()
    expect((await waiting).value).toEqual({ text: 'first' })
  })

  it('throws other errors of a load', async () => {
    const { cache, read } = createTestCache()
    await read()
    cache.dropSoon('a')
    vi.advanceTimersByTime(3_000)
    await expect(cache.load('a', () => Promise.reject(new Error('wrong')))).rejects.toThrow('wrong')
  })
})

describe('a cache without invalidations', () => {
  it('trusts nothing while the database is available, not even in an outage that follows', async () => {
    const { state, read, lose } = createTestCache()
    await read()
    state.text = 'second'
    await lose()
    expect(await read()).toEqual({ value: { text: 'second' }, staleSeconds: null })
    state.database = false
    await expect(read()).rejects.toThrow('away')
  })

  it('loads as soon as the database is back', async () => {
    const { state, read, lose, find } = createTestCache()
    await read()
    state.database = false
    await lose()
    await read()
    state.database = true
    state.text = 'second'
    find()
    expect(await read()).toEqual({ value: { text: 'second' }, staleSeconds: null })
  })

  it('caches again once they arrive', async () => {
    const { state, cache, read, lose, restore } = createTestCache()
    await read()
    await lose()
    restore()
    state.text = 'second'
    await read()
    expect(cache.peek('a')).toEqual({ text: 'second' })
  })
})
