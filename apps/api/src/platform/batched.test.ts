import { describe, expect, it } from 'vitest'
import { batched } from './batched.ts'

/** Creates a batch whose calls the test ends. */
function createTestBatch() {
  const calls: { items: readonly string[]; end: () => void; fail: () => void }[] = []
  const add = batched((items: readonly string[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>()
    const results = items.map((item) => item.toUpperCase())
    calls.push({ items, end: () => resolve(results), fail: () => reject(new Error(items.join())) })
    return promise
  })
  const waitForCall = async (number: number) => {
    await expect.poll(() => calls.length).toBe(number)
    const call = calls.at(-1)
    if (call === undefined) throw new Error('There is no call.')
    return call
  }
  return {
    waitForCall,
    calls: () => calls.map(({ items }) => items.join('')),
    /** Adds items; a rejection is awaited later. */
    add(...items: string[]) {
      const results = Promise.allSettled(items.map(add))
      return async () =>
        (await results).map((outcome) =>
          outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message,
        )
    },
  }
}

describe('batched', () => {
  it('stores together what arrives meanwhile, and gives each caller its own result', async () => {
    const batch = createTestBatch()
    const outcomes = batch.add('a', 'b', 'c')
    const first = await batch.waitForCall(1)
    first.end()
    const second = await batch.waitForCall(2)
    second.end()
    expect(await outcomes()).toEqual(['A', 'B', 'C'])
    expect(batch.calls()).toEqual(['a', 'bc'])
  })

  it('rejects all items of a failed call, and accepts items afterwards', async () => {
    const batch = createTestBatch()
    const outcomes = batch.add('a', 'b', 'c')
    const first = await batch.waitForCall(1)
    first.fail()
    const second = await batch.waitForCall(2)
    second.fail()
    expect(await outcomes()).toEqual(['a', 'b,c', 'b,c'])
    const later = batch.add('d')
    const third = await batch.waitForCall(3)
    third.end()
    expect(await later()).toEqual(['D'])
  })
})
