import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createCache } from './cache.ts'

type Value = { text: string }

const quietMs = 250

/** Creates a cache and a switch for whether invalidations arrive. */
function createTestCache(maxBytes = 1_000, maxAgeMsOf: (key: string) => number = () => 0) {
  const notifications = { arrive: true }
  const cache = createCache<Value>({
    maxBytes,
    sizeOf: ({ text }) => text.length,
    isTrustworthy: () => notifications.arrive,
    quietMs,
    maxAgeMsOf,
  })
  return { cache, notifications }
}

/** Creates a load that the test resolves. */
function heldLoad() {
  const { promise, resolve, reject } = Promise.withResolvers<Value>()
  return { load: vi.fn(() => promise), end: (text: string) => resolve({ text }), fail: reject }
}

/** Creates a load that resolves at once. */
function loadOf(text: string) {
  return vi.fn(async () => ({ text }))
}

beforeEach(() => {
  vi.useFakeTimers()
  // lru-cache treats a start time of zero as unset.
  vi.advanceTimersByTime(1)
  return () => vi.useRealTimers()
})

describe('createCache', () => {
  it('holds no value before the first load', () => {
    expect(createTestCache().cache.peek('a')).toBeUndefined()
  })

  it('caches the loaded value of each key', async () => {
    const { cache } = createTestCache()
    await cache.load('a', loadOf('1'))
    await cache.load('b', loadOf('2'))
    expect(cache.peek('a')).toEqual({ text: '1' })
    expect(cache.peek('b')).toEqual({ text: '2' })
  })

  it('shares one load between concurrent callers', async () => {
    const { cache } = createTestCache()
    const { load, end } = heldLoad()
    const values = Promise.all(Array.from({ length: 50 }, () => cache.load('a', load)))
    end('1')
    expect(new Set((await values).map(({ text }) => text))).toEqual(new Set(['1']))
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('does not cache a failed load', async () => {
    const { cache } = createTestCache()
    const failing = heldLoad()
    const first = cache.load('a', failing.load)
    const second = cache.load('a', failing.load)
    failing.fail(new Error('away'))
    await expect(first).rejects.toThrow('away')
    await expect(second).rejects.toThrow('away')
    expect(await cache.load('a', loadOf('2'))).toEqual({ text: '2' })
    expect(cache.peek('a')).toEqual({ text: '2' })
  })

  it('does not cache a load that began before an invalidation', async () => {
    const { cache } = createTestCache()
    const before = heldLoad()
    const value = cache.load('a', before.load)
    cache.drop('a')
    before.end('old')
    expect(await value).toEqual({ text: 'old' })
    expect(cache.peek('a')).toBeUndefined()
  })

  it('starts a new load after an invalidation, even during the old load', async () => {
    const { cache } = createTestCache()
    const before = heldLoad()
    const old = cache.load('a', before.load)
    cache.drop('a')
    expect(await cache.load('a', loadOf('new'))).toEqual({ text: 'new' })
    before.end('old')
    await old
    expect(cache.peek('a')).toEqual({ text: 'new' })
  })

  it('does not cache a load in progress when it is cleared', async () => {
    const { cache } = createTestCache()
    const before = heldLoad()
    const value = cache.load('a', before.load)
    await cache.load('b', loadOf('1'))
    cache.clear()
    before.end('old')
    await value
    expect(cache.peek('a')).toBeUndefined()
    expect(cache.peek('b')).toBeUndefined()
  })

  it('loads every time while invalidations cannot arrive', async () => {
    const { cache, notifications } = createTestCache()
    await cache.load('a', loadOf('1'))
    notifications.arrive = false
    expect(cache.peek('a')).toBeUndefined()
    expect(await cache.load('a', loadOf('2'))).toEqual({ text: '2' })
    expect(await cache.load('a', loadOf('3'))).toEqual({ text: '3' })
  })

  it('does not share loads while invalidations cannot arrive', async () => {
    const { cache, notifications } = createTestCache()
    notifications.arrive = false
    const before = heldLoad()
    const old = cache.load('a', before.load)
    expect(await cache.load('a', loadOf('new'))).toEqual({ text: 'new' })
    before.end('old')
    expect(await old).toEqual({ text: 'old' })
  })

  it('does not cache a load that began while invalidations could not arrive', async () => {
    const { cache, notifications } = createTestCache()
    notifications.arrive = false
    const first = heldLoad()
    const second = heldLoad()
    const values = [cache.load('a', first.load), cache.load('a', second.load)]
    notifications.arrive = true
    cache.clear()
    second.end('missed a change')
    first.end('missed a change too')
    await Promise.all(values)
    expect(cache.peek('a')).toBeUndefined()
  })

  it('does not cache a load that ends while invalidations cannot arrive', async () => {
    const { cache, notifications } = createTestCache()
    const before = heldLoad()
    const value = cache.load('a', before.load)
    notifications.arrive = false
    before.end('1')
    await value
    notifications.arrive = true
    expect(cache.peek('a')).toBeUndefined()
  })

  it('evicts the least recently used value to stay within its bytes', async () => {
    const { cache } = createTestCache(10)
    await cache.load('a', loadOf('1234'))
    await cache.load('b', loadOf('1234'))
    cache.peek('a')
    await cache.load('c', loadOf('1234'))
    expect(['a', 'b', 'c'].filter((key) => cache.peek(key) !== undefined)).toEqual(['a', 'c'])
  })

  it('returns a value larger than the cache without caching it', async () => {
    const { cache } = createTestCache(10)
    expect(await cache.load('a', loadOf('12345678901'))).toEqual({ text: '12345678901' })
    expect(cache.peek('a')).toBeUndefined()
  })
})

describe('maxAgeMsOf', () => {
  const ages = (key: string) => (key === 'a' ? 60_000 : 0)

  it('loads values again that are older, and no others', async () => {
    const { cache } = createTestCache(1_000, ages)
    await cache.load('a', loadOf('1'))
    await cache.load('b', loadOf('1'))
    vi.advanceTimersByTime(60_000)
    expect(cache.peek('a')).toEqual({ text: '1' })
    vi.advanceTimersByTime(1)
    expect(cache.peek('a')).toBeUndefined()
    expect(cache.peek('b')).toEqual({ text: '1' })
  })

  it('does not keep a value longer that is dropped soon', async () => {
    const { cache } = createTestCache(1_000, ages)
    await cache.load('a', loadOf('1'))
    cache.dropSoon('a')
    vi.advanceTimersByTime(quietMs + 1)
    expect(cache.peek('a')).toBeUndefined()
  })
})

describe('dropSoon', () => {
  it('keeps a new value for the debounce time', async () => {
    const { cache } = createTestCache()
    await cache.load('a', loadOf('1'))
    cache.dropSoon('a')
    vi.advanceTimersByTime(quietMs)
    expect(cache.peek('a')).toEqual({ text: '1' })
    vi.advanceTimersByTime(1)
    expect(cache.peek('a')).toBeUndefined()
  })

  it('drops an older value at once', async () => {
    const { cache } = createTestCache()
    await cache.load('a', loadOf('1'))
    vi.advanceTimersByTime(quietMs)
    cache.dropSoon('a')
    expect(cache.peek('a')).toBeUndefined()
  })

  it('debounces a burst of changes into a few loads, including the last change', async () => {
    const { cache } = createTestCache()
    let likes = 0
    const load = vi.fn(async () => ({ text: String(likes) }))
    for (let ms = 0; ms < 1_000; ms += 1) {
      likes += 1
      cache.dropSoon('a')
      if (cache.peek('a') === undefined) await cache.load('a', load)
      vi.advanceTimersByTime(1)
    }
    expect(load).toHaveBeenCalledTimes(4)
    vi.advanceTimersByTime(quietMs + 1)
    expect(cache.peek('a') ?? (await cache.load('a', load))).toEqual({ text: '1000' })
  })

  it('caches a load in progress for the debounce time only', async () => {
    const { cache } = createTestCache()
    const before = heldLoad()
    const value = cache.load('a', before.load)
    cache.dropSoon('a')
    before.end('old')
    await value
    expect(cache.peek('a')).toEqual({ text: 'old' })
    vi.advanceTimersByTime(quietMs + 1)
    expect(cache.peek('a')).toBeUndefined()
  })

  it('does not drop the value that is loaded next', async () => {
    const { cache } = createTestCache()
    await cache.load('a', loadOf('1'))
    cache.dropSoon('a')
    cache.drop('a')
    await cache.load('a', loadOf('2'))
    vi.advanceTimersByTime(10 * quietMs)
    expect(cache.peek('a')).toEqual({ text: '2' })
  })

  it('does not drop other keys', async () => {
    const { cache } = createTestCache()
    await cache.load('a', loadOf('1'))
    await cache.load('b', loadOf('2'))
    cache.dropSoon('a')
    vi.advanceTimersByTime(quietMs)
    expect(cache.peek('b')).toEqual({ text: '2' })
  })
})
