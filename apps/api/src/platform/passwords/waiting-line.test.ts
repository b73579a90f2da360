import { describe, expect, it } from 'vitest'
import { createFixedClock } from '../clock.ts'
import { createWaitingLine } from './waiting-line.ts'

const start = new Date('2026-11-20T17:00:00.000Z')
const busy = { code: 'service-busy', status: 503, headers: { 'Retry-After': '2' } }

function createLine({ atOnce = 1, longest = 10, patienceMs = 5000 } = {}) {
  const clock = createFixedClock(start)
  const inTurn = createWaitingLine({ atOnce, longest, patienceMs, clock })
  const begun: string[] = []
  return {
    begun,
    pass: (ms: number) => clock.moveTo(new Date(clock.now().getTime() + ms)),
    /** Asks for a turn; the work ends when it is told. */
    join(name: string) {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      const outcome = inTurn(() => {
        begun.push(name)
        return promise
      })
      // A refusal is looked at later than it happens.
      outcome.catch(() => {})
      return { outcome, end: () => resolve(name), fail: () => reject(new Error(name)) }
    },
  }
}

describe('createWaitingLine', () => {
  it('lets no more begin than may run at once', () => {
    const line = createLine({ atOnce: 2 })
    for (const name of ['a', 'b', 'c']) line.join(name)
    expect(line.begun).toEqual(['a', 'b'])
  })

  it('lets the first that waits go next, whether work ends or fails', async () => {
    const line = createLine()
    const [a, b, c] = [line.join('a'), line.join('b'), line.join('c')]
    a.fail()
    await expect(a.outcome).rejects.toThrow('a')
    b.end()
    expect(await b.outcome).toBe('b')
    c.end()
    expect(await c.outcome).toBe('c')
    expect(line.begun).toEqual(['a', 'b', 'c'])
  })

  it('refuses at once when as many wait as may', async () => {
    const line = createLine({ longest: 2 })
    for (const name of ['a', 'b', 'c']) line.join(name)
    await expect(line.join('d').outcome).rejects.toMatchObject(busy)
  })

  it('refuses at once who would wait too long, going by what work took so far', async () => {
    const line = createLine({ longest: 100 })
    const slow = line.join('slow')
    line.pass(20_000)
    slow.end()
    await slow.outcome
    const next = line.join('next')
    // 20 seconds once mean 4 expected: one may wait behind the one that runs, a second one may not.
    const second = line.join('second')
    await expect(line.join('third').outcome).rejects.toMatchObject(busy)
    next.end()
    second.end()
    expect(await second.outcome).toBe('second')
  })

  it('refuses who has waited too long when the turn comes, and gives the turn to the next', async () => {
    const line = createLine()
    const a = line.join('a')
    const b = line.join('b')
    line.pass(4000)
    const c = line.join('c')
    line.pass(1001)
    a.end()
    await expect(b.outcome).rejects.toMatchObject(busy)
    c.end()
    expect(await c.outcome).toBe('c')
    expect(line.begun).toEqual(['a', 'c'])
  })

  it('begins at once again when all is done', async () => {
    const line = createLine()
    const a = line.join('a')
    a.end()
    await a.outcome
    line.join('b')
    expect(line.begun).toEqual(['a', 'b'])
  })
})
