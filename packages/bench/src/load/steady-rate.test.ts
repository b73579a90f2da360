import { expect, it } from 'vitest'
import { steadyRate } from './steady-rate.ts'

/** A clock that only work moves on. */
function createClock() {
  let ms = 0
  return {
    now: () => ms,
    async pass(more: number) {
      ms += more
    },
  }
}

it('counts runs per second after the lead and before the end', async () => {
  const { now, pass } = createClock()
  const pace = { atOnce: 1, leadSeconds: 1, seconds: 2 }
  expect(await steadyRate(pace, () => pass(125), now)).toBe(8)
})

it('does not count the lead time', async () => {
  const { now, pass } = createClock()
  const pace = { atOnce: 1, leadSeconds: 1, seconds: 1 }
  expect(await steadyRate(pace, (index) => pass(index === 0 ? 900 : 250), now)).toBe(4)
})

it('numbers the runs of all workers from 0', async () => {
  const { now, pass } = createClock()
  const indexes: number[] = []
  const work = async (index: number) => {
    indexes.push(index)
    await pass(500)
  }
  await steadyRate({ atOnce: 2, leadSeconds: 0, seconds: 2 }, work, now)
  expect(indexes).toEqual([...indexes.keys()])
})
