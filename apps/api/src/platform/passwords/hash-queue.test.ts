import { describe, expect, it } from 'vitest'
import { createFixedClock } from '#test/factories/fixed-clock.ts'
import { createHashQueue } from './hash-queue.ts'

type Source = { networks?: string[]; isKnown?: boolean }

const start = new Date('2026-11-20T17:00:00.000Z')
const busy = { code: 'service-busy', status: 503, headers: { 'Retry-After': '2' } }

function createTestQueue({ concurrency = 1, maxLength = 10, maxWaitMs = 5000 } = {}) {
  const clock = createFixedClock(start)
  const enqueue = createHashQueue({ concurrency, maxLength, maxWaitMs, clock })
  const started: string[] = []
  return {
    started,
    pass: (ms: number) => clock.moveTo(new Date(clock.now().getTime() + ms)),
    /** Enqueues a task that the test ends. */
    add(name: string, { networks = ['a network'], isKnown = false }: Source = {}) {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      const outcome = enqueue({ networks, isKnown }, () => {
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

  it('starts the task of a new network after one of each that floods', () => {
    const queue = createTestQueue({ maxLength: 1000 })
    const tasks = [queue.add('first')]
    for (let round = 0; round < 60; round += 1) {
      for (let index = 0; index < 10; index += 1) tasks.push(queue.add('flood', { networks: [`${index}`] }))
    }
    tasks.push(queue.add('honest', { networks: ['new'] }))
    return endInTurn(queue, tasks).then((order) => expect(order.indexOf('honest')).toBe(11))
  })

  it('counts an IPv6 /48 as one network', () => {
    const queue = createTestQueue({ maxLength: 1000 })
    const tasks = [queue.add('first')]
    for (let index = 0; index < 300; index += 1) {
      tasks.push(queue.add('flood', { networks: ['/48', `/56 ${index >> 4}`, `/64 ${index}`] }))
    }
    tasks.push(queue.add('honest', { networks: ['new'] }))
    return endInTurn(queue, tasks).then((order) => expect(order.indexOf('honest')).toBe(2))
  })

  it('starts known sources first, but lets an unknown one start after three', () => {
    const queue = createTestQueue({ maxLength: 1000 })
    const tasks = [queue.add('first')]
    for (let index = 0; index < 3; index += 1) tasks.push(queue.add('unknown', { networks: [`${index}`] }))
    for (let index = 0; index < 8; index += 1) {
      tasks.push(queue.add('known', { networks: [`${index}`], isKnown: true }))
    }
    const k = 'known'
    return endInTurn(queue, tasks).then((order) =>
      expect(order).toEqual(['first', k, k, k, 'unknown', k, k, k, 'unknown', k, k, 'unknown']),
    )
  })

  it('rejects the newest task of the largest network when the queue is full', async () => {
    const queue = createTestQueue({ maxLength: 4 })
    queue.add('first')
    const flood = ['a', 'b', 'c', 'd'].map((name) => queue.add(name, { networks: ['flood'] }))
    const honest = queue.add('honest', { networks: ['new'] })
    await expect(flood[3]?.outcome).rejects.toMatchObject(busy)
    const again = queue.add('e', { networks: ['flood'] })
    await expect(again.outcome).rejects.toMatchObject(busy)
    expect(await Promise.race([honest.outcome, Promise.resolve('waiting')])).toBe('waiting')
  })

  it('rejects the newest task of the largest part of an IPv6 /48 when the queue is full', async () => {
    const queue = createTestQueue({ maxLength: 4 })
    queue.add('first')
    const parts = ['a /64', 'a /64', 'another /64', 'a /64']
    const flood = parts.map((part, index) => queue.add(`${index}`, { networks: ['/48', '/56', part] }))
    const honest = queue.add('honest', { networks: ['/48', 'another /56', 'its /64'] })
    await expect(flood[3]?.outcome).rejects.toMatchObject(busy)
    expect(await Promise.race([honest.outcome, Promise.resolve('waiting')])).toBe('waiting')
  })

  it('estimates the wait by the turn of the network, not by the length of the queue', async () => {
    const queue = createTestQueue({ maxLength: 1000 })
    const slow = queue.add('slow')
    queue.pass(5000)
    slow.end()
    await slow.outcome
    // A task is expected to take a second.
    queue.add('running', { networks: ['flood'] })
    for (let index = 0; index < 10; index += 1) queue.add(`${index}`, { networks: ['flood'] })
    const honest = queue.add('honest', { networks: ['new'] })
    await expect(queue.add('late', { networks: ['flood'] }).outcome).rejects.toMatchObject(busy)
    expect(await Promise.race([honest.outcome, Promise.resolve('waiting')])).toBe('waiting')
  })

  it('estimates the wait by the turn of the part of an IPv6 /48', async () => {
    const queue = createTestQueue({ maxLength: 1000 })
    const slow = queue.add('slow')
    queue.pass(5000)
    slow.end()
    await slow.outcome
    // A task is expected to take a second.
    queue.add('running')
    const flood = (name: string) => queue.add(name, { networks: ['/48', '/56', 'a /64'] })
    for (let index = 0; index < 10; index += 1) flood(`${index}`)
    const honest = [
      queue.add('near', { networks: ['/48', '/56', 'another /64'] }),
      queue.add('far', { networks: ['/48', 'another /56', 'its /64'] }),
    ]
    await expect(flood('late').outcome).rejects.toMatchObject(busy)
    for (const { outcome } of honest) {
      expect(await Promise.race([outcome, Promise.resolve('waiting')])).toBe('waiting')
    }
  })
})

/** Ends each task once it runs, and returns the order in which they started. */
async function endInTurn(
  queue: { started: string[] },
  tasks: readonly { outcome: Promise<string>; end: () => void }[],
): Promise<string[]> {
  for (const { end } of tasks) end()
  await Promise.all(tasks.map(({ outcome }) => outcome))
  return queue.started
}
