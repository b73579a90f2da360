import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createCache } from './cache.ts'

type Value = { text: string }

const quietMs = 250

/** A cache whose line to the database a test can cut. */
function createTestCache(maxBytes = 1_000) {
  const line = { open: true }
  const cache = createCache<Value>({
    maxBytes,
    sizeOf: ({ text }) => text.length,
    isTrustworthy: () => line.open,
    quietMs,
  })
  return { cache, line }
}

/** A load that ends when the test says so. */
function heldLoad() {
  const { promise, resolve, reject } = Promise.withResolvers<Value>()
  return { load: vi.fn(() => promise), end: (text: string) => resolve({ text }), fail: reject }
}

/** A load that is done at once. */
function loadOf(text: string) {
  return vi.fn(async () => ({ text }))
}

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

describe('createCache', () => {
  it('has nothing before anything was loaded', () => {
    expect(createTestCache().cache.peek('a')).toBeUndefined()
  })

  it('keeps what it has loaded, each key for itself', async () => {
    const { cache } = createTestCache()
    await cache.load('a', loadOf('1'))
    await cache.load('b', loadOf('2'))
    expect(cache.peek('a')).toEqual({ text: '1' })
    expect(cache.peek('b')).toEqual({ text: '2' })
  })

  it('loads once for everybody who asks while it loads', async () => {
    const { cache } = createTestCache()
    const { load, end } = heldLoad()
    const answers = Promise.all(Array.from({ length: 50 }, () => cache.load('a', load)))
    end('1')
    expect(new Set((await answers).map(({ text }) => text))).toEqual(new Set(['1']))
    expect(load).toHaveBeenCalledTimes(1)
  })

  it('keeps no failure', async () => {
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

  it('does not keep a load that began before a change', async () => {
    const { cache } = createTestCache()
    const before = heldLoad()
    const answer = cache.load('a', before.load)
    cache.drop('a')
    before.end('old')
    expect(await answer).toEqual({ text: 'old' })
    expect(cache.peek('a')).toBeUndefined()
  })

  it('loads anew for whoever asks after a change, even while the old load is under way', async () => {
    const { cache } = createTestCache()
    const before = heldLoad()
    const old = cache.load('a', before.load)
    cache.drop('a')
    expect(await cache.load('a', loadOf('new'))).toEqual({ text: 'new' })
    before.end('old')
    await old
    expect(cache.peek('a')).toEqual({ text: 'new' })
  })

  it('keeps no load under way when it is emptied', async () => {
    const { cache } = createTestCache()
    const before = heldLoad()
    const answer = cache.load('a', before.load)
    await cache.load('b', loadOf('1'))
    cache.clear()
    before.end('old')
    await answer
    expect(cache.peek('a')).toBeUndefined()
    expect(cache.peek('b')).toBeUndefined()
  })

  it('answers nothing from memory and keeps nothing while changes cannot be heard', async () => {
    const { cache, line } = createTestCache()
    await cache.load('a', loadOf('1'))
    line.open = false
    expect(cache.peek('a')).toBeUndefined()
    expect(await cache.load('a', loadOf('2'))).toEqual({ text: '2' })
    expect(await cache.load('a', loadOf('3'))).toEqual({ text: '3' })
  })

  it('lets nobody share a load while changes cannot be heard', async () => {
    const { cache, line } = createTestCache()
    line.open = false
    const before = heldLoad()
    const old = cache.load('a', before.load)
    expect(await cache.load('a', loadOf('new'))).toEqual({ text: 'new' })
    before.end('old')
    expect(await old).toEqual({ text: 'old' })
  })

  it('keeps no load that began while changes could not be heard, though it ends when they can', async () => {
    const { cache, line } = createTestCache()
    line.open = false
    const first = heldLoad()
    const second = heldLoad()
    const answers = [cache.load('a', first.load), cache.load('a', second.load)]
    line.open = true
    cache.clear()
    second.end('missed a change')
    first.end('missed a change too')
    await Promise.all(answers)
    expect(cache.peek('a')).toBeUndefined()
  })

  it('keeps no load that ends while changes cannot be heard', async () => {
    const { cache, line } = createTestCache()
    const before = heldLoad()
    const answer = cache.load('a', before.load)
    line.open = false
    before.end('1')
    await answer
    line.open = true
    expect(cache.peek('a')).toBeUndefined()
  })

  it('stays within its bytes and lets go of what was used longest ago', async () => {
    const { cache } = createTestCache(10)
    await cache.load('a', loadOf('1234'))
    await cache.load('b', loadOf('1234'))
    cache.peek('a')
    await cache.load('c', loadOf('1234'))
    expect(['a', 'b', 'c'].filter((key) => cache.peek(key) !== undefined)).toEqual(['a', 'c'])
  })

  it('answers what is larger than it may keep, and does not keep it', async () => {
    const { cache } = createTestCache(10)
    expect(await cache.load('a', loadOf('12345678901'))).toEqual({ text: '12345678901' })
    expect(cache.peek('a')).toBeUndefined()
  })
})

describe('dropSoon', () => {
  it('lets a young value live for its quiet time', async () => {
    const { cache } = createTestCache()
    await cache.load('a', loadOf('1'))
    cache.dropSoon('a')
    vi.advanceTimersByTime(quietMs - 1)
    expect(cache.peek('a')).toEqual({ text: '1' })
    vi.advanceTimersByTime(1)
    expect(cache.peek('a')).toBeUndefined()
  })

  it('drops a value at once that has had its quiet time', async () => {
    const { cache } = createTestCache()
    await cache.load('a', loadOf('1'))
    vi.advanceTimersByTime(quietMs)
    cache.dropSoon('a')
    expect(cache.peek('a')).toBeUndefined()
  })

  it('costs a storm of changes a few loads, and the last of it is not lost', async () => {
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
    vi.advanceTimersByTime(quietMs)
    expect(cache.peek('a') ?? (await cache.load('a', load))).toEqual({ text: '1000' })
  })

  it('keeps a load under way for its quiet time only, because it may have begun before the change', async () => {
    const { cache } = createTestCache()
    const before = heldLoad()
    const answer = cache.load('a', before.load)
    cache.dropSoon('a')
    before.end('old')
    await answer
    expect(cache.peek('a')).toEqual({ text: 'old' })
    vi.advanceTimersByTime(quietMs)
    expect(cache.peek('a')).toBeUndefined()
  })

  it('does not outlive its value: the next one is not dropped for it', async () => {
    const { cache } = createTestCache()
    await cache.load('a', loadOf('1'))
    cache.dropSoon('a')
    cache.drop('a')
    await cache.load('a', loadOf('2'))
    vi.advanceTimersByTime(10 * quietMs)
    expect(cache.peek('a')).toEqual({ text: '2' })
  })

  it('leaves other keys alone', async () => {
    const { cache } = createTestCache()
    await cache.load('a', loadOf('1'))
    await cache.load('b', loadOf('2'))
    cache.dropSoon('a')
    vi.advanceTimersByTime(quietMs)
    expect(cache.peek('b')).toEqual({ text: '2' })
  })
})
