import { describe, expect, it } from 'vitest'
import { patience } from '../../../../test/patience.ts'
import { createGathering } from './gathering.ts'

/** Takes batches one by one, each when it is let. */
function createTaker() {
  const batches: string[][] = []
  const gates: PromiseWithResolvers<void>[] = []
  return {
    batches,
    take(items: string[]): Promise<void> {
      const gate = Promise.withResolvers<void>()
      batches.push(items)
      gates.push(gate)
      return gate.promise
    },
    let: () => gates.at(-1)?.resolve(),
    refuse: () => gates.at(-1)?.reject(new Error('not now')),
  }
}

describe('a gathering', () => {
  it('hands over at once what comes alone', () => {
    const taker = createTaker()
    void createGathering(taker.take, { pauseMs: 0, most: 10 }).add('a')
    expect(taker.batches).toEqual([['a']])
  })

  it('hands over together what came while it was busy, in its order and no more than it may', async () => {
    const taker = createTaker()
    const gathering = createGathering(taker.take, { pauseMs: 0, most: 2 })
    const first = gathering.add('a')
    const others = ['b', 'c', 'd'].map((item) => gathering.add(item))
    expect(taker.batches).toEqual([['a']])
    taker.let()
    await first
    await expect.poll(() => taker.batches.at(-1), patience).toEqual(['b', 'c'])
    taker.let()
    await expect.poll(() => taker.batches.at(-1), patience).toEqual(['d'])
    taker.let()
    await Promise.all(others)
    expect(taker.batches).toEqual([['a'], ['b', 'c'], ['d']])
  })

  it('tells everybody of a batch that it was not taken, and goes on', async () => {
    const taker = createTaker()
    const gathering = createGathering(taker.take, { pauseMs: 0, most: 10 })
    const first = gathering.add('a')
    const others = [gathering.add('b'), gathering.add('c')]
    taker.let()
    await first
    await expect.poll(() => taker.batches.length, patience).toBe(2)
    taker.refuse()
    expect((await Promise.allSettled(others)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    const later = gathering.add('d')
    await expect.poll(() => taker.batches.at(-1), patience).toEqual(['d'])
    taker.let()
    await expect(later).resolves.toBeUndefined()
  })
})
