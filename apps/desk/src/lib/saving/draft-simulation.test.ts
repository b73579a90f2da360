import { describe, expect, it } from 'vitest'
import { simulate } from './simulation/simulate.ts'

const seeds = 600

describe('tabs that write one text over a bad network', () => {
  it.for([
    ['two people', { tabs: ['Ada', 'Bo'] }],
    ['one person with two tabs, and another', { tabs: ['Ada', 'Ada', 'Bo'] }],
  ] as const)('lose no word, and show the same in the end: %s', async ([, options]) => {
    for (let seed = 1; seed <= seeds; seed++) {
      expect(await simulate(seed, options), `seed ${seed}`).toEqual([])
    }
  })
})
