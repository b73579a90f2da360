import { describe, expect, it } from 'vitest'
import { createFixedClock } from '../clock.ts'
import { createHashQueue } from './hash-queue.ts'

const start = new Date('2026-11-20T17:00:00.000Z')
const busy = { code: 'service-busy', status: 503, headers: { 'Retry-After': '2' } }

function createTestQueue({ concurrency = 1, maxLength = 10, maxWaitMs = 5000 } = {}) {
  const clock = createFixedClock(start)
  const enqueue = createHashQueue({ concurrency, maxLength, maxWaitMs, clock })
  const started: string[] = []
  return {
    started,
    pass: (ms: number) => clock.moveTo(new Date(clock.now().getTime() + ms)),
    /** Enqueues a task that ends when the test says so. */
    add(name: string) {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      const outcome = enqueue(() => {
        started.push(name)
        return promise
      })
      // The test looks at a rejection later.
      outcome.catch(() => {})
      return { outcome, end: () => resolve(name), fail: () => reject(new Error(name)) }
    },
  }
}

describe('createHashQueue', () => {
  it('lets no more begin than may run at once', () => {
    const queue = createTestQueue({ concurrency: 2 })
    for (const name of ['a', 'b', 'c']) queue.add(name)
    expect(queue.started).toEqual(['a', 'b'])
  })

  it('lets the first that waits go next, whether work ends or fails', async () => {
    const queue = createTestQueue()
    const [a, b, c] = [queue.add('a'), queue.add('b'), queue.add('c')]
    a.fail()
    await expect(a.outcome).rejects.toThrow('a')
    b.end()
    expect(await b.outcome).toBe('b')
    c.end()
    expect(await c.outcome).toBe('c')
    expect(queue.started).toEqual(['a', 'b', 'c'])
  })

  it('refuses at once when as many wait as may', async () => {
    const queue = createTestQueue({ maxLength: 2 })
    for (const name of ['a', 'b', 'c']) queue.add(name)
    await expect(queue.add('d').outcome).rejects.toMatchObject(busy)
  })

  it('refuses at once who would wait too long, going by what work took so far', async () => {
    const queue = createTestQueue({ maxLength: 100 })
    const slow = queue.add('slow')
    queue.pass(20_000)
    slow.end()
    await slow.outcome
    const next = queue.add('next')
    // 20 seconds once mean 4 expected: one may wait behind the one that runs, a second one may not.
    const second = queue.add('second')
    await expect(queue.add('third').outcome).rejects.toMatchObject(busy)
    next.end()
    second.end()
    expect(await second.outcome).toBe('second')
  })

  it('refuses who has waited too long when the turn comes, and gives the turn to the next', async () => {
    const queue = createTestQueue()
    const a = queue.add('a')
    const b = queue.add('b')
    queue.pass(4000)
    const c = queue.add('c')
    queue.pass(1001)
    a.end()
    await expect(b.outcome).rejects.toMatchObject(busy)
    c.end()
    expect(await c.outcome).toBe('c')
    expect(queue.started).toEqual(['a', 'c'])
  })

  it('begins at once again when all is done', async () => {
    const queue = createTestQueue()
    const a = queue.add('a')
    a.end()
    await a.outcome
    queue.add('b')
    expect(queue.started).toEqual(['a', 'b'])
  })
})
