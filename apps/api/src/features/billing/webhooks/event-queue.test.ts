import { describe, expect, it } from 'vitest'
import { createEventQueue } from './event-queue.ts'

function createTestQueue({ maxWaiting = 10, rest = async () => {} } = {}) {
  const enqueue = createEventQueue({ maxWaiting, rest })
  const started: string[] = []
  /** Enqueues a task that the test ends. */
  function add(name: string) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const outcome = enqueue(() => {
      started.push(name)
      return promise
    })
    // The test checks a rejection later.
    outcome.catch(() => undefined)
    return { outcome, end: resolve, fail: () => reject(new Error(name)) }
  }
  return { started, add }
}

describe('createEventQueue', () => {
  it('runs one task at a time, in order, after success and failure', async () => {
    const queue = createTestQueue()
    const [a, b, c] = [queue.add('a'), queue.add('b'), queue.add('c')]
    await expect.poll(() => queue.started).toEqual(['a'])
    a.fail()
    await expect(a.outcome).rejects.toThrow('a')
    await expect.poll(() => queue.started).toEqual(['a', 'b'])
    b.end()
    await b.outcome
    c.end()
    await c.outcome
    expect(queue.started).toEqual(['a', 'b', 'c'])
  })

  it('rejects a task while too many wait, and accepts one afterwards', async () => {
    const queue = createTestQueue({ maxWaiting: 1 })
    const [a, b] = [queue.add('a'), queue.add('b')]
    await expect(queue.add('c').outcome).rejects.toMatchObject({ code: 'service-busy', status: 503 })
    a.end()
    await a.outcome
    const d = queue.add('d')
    b.end()
    d.end()
    await d.outcome
    expect(queue.started).toEqual(['a', 'b', 'd'])
  })

  it('rests before the next task', async () => {
    const { promise: rested, resolve: endRest } = Promise.withResolvers<void>()
    const queue = createTestQueue({ rest: () => rested })
    const [a, b] = [queue.add('a'), queue.add('b')]
    a.end()
    await a.outcome
    expect(queue.started).toEqual(['a'])
    endRest()
    b.end()
    await b.outcome
    expect(queue.started).toEqual(['a', 'b'])
  })
})
