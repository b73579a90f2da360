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
    /** Enqueues a task that the test resolves. */
    add(name: string) {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      const outcome = enqueue(() => {
        started.push(name)
        return promise
      })
      // The test checks a rejection later.
      outcome.catch(() => {})
      return { outcome, end: () => resolve(name), fail: () => reject(new Error(name)) }
    },
  }
}

describe('createHashQueue', () => {
  it('runs at most as many tasks as the concurrency limit', () => {
    const queue = createTestQueue({ concurrency: 2 })
    for (const name of ['a', 'b', 'c']) queue.add(name)
    expect(queue.started).toEqual(['a', 'b'])
  })

  it('runs tasks in order, after success and failure', async () => {
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

  it('rejects a task at once when the queue is full', async () => {
    const queue = createTestQueue({ maxLength: 2 })
    for (const name of ['a', 'b', 'c']) queue.add(name)
    await expect(queue.add('d').outcome).rejects.toMatchObject(busy)
  })

  it('rejects a task at once when its estimated wait is too long', async () => {
    const queue = createTestQueue({ maxLength: 100 })
    const slow = queue.add('slow')
    queue.pass(20_000)
    slow.end()
    await slow.outcome
    const next = queue.add('next')
    // After one task of 20 seconds the estimate is 4: one task can wait, a second cannot.
    const second = queue.add('second')
    await expect(queue.add('third').outcome).rejects.toMatchObject(busy)
    next.end()
    second.end()
    expect(await second.outcome).toBe('second')
  })

  it('rejects a task that has waited too long, and runs the next one', async () => {
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

  it('runs a task at once when the queue is empty', async () => {
    const queue = createTestQueue()
    const a = queue.add('a')
    a.end()
    await a.outcome
    queue.add('b')
    expect(queue.started).toEqual(['a', 'b'])
  })
})
