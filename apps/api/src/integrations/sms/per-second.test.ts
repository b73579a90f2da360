import { describe, expect, test } from 'vitest'
import { createPerSecond } from './per-second.ts'

/** Returns when each of `count` simultaneous calls may go on, in milliseconds. */
async function turns(perSecond: number, count: number): Promise<number[]> {
  const at: number[] = []
  let delay = 0
  const takeTurn = createPerSecond(perSecond, { now: () => new Date(1_000) }, async (ms) => {
    delay = ms
  })
  for (let call = 0; call < count; call += 1) {
    delay = 0
    await takeTurn()
    at.push(delay)
  }
  return at
}

describe('createPerSecond', () => {
  test('spaces simultaneous calls evenly', async () => {
    expect(await turns(4, 5)).toEqual([0, 250, 500, 750, 1_000])
  })

  test('0 delays none', async () => {
    expect(await turns(0, 3)).toEqual([0, 0, 0])
  })
})
