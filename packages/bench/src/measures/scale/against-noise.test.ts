import { describe, expect, it } from 'vitest'
import { summarize } from '../../results/pairs.ts'
import { againstNoiseRow, compareWithNoise } from './against-noise.ts'

const sites = { small: 'small', again: 'again', large: 'large' }

describe('compareWithNoise', () => {
  it('compares the large site and the second small one with the small one', async () => {
    const figures = new Map([
      ['small', 2],
      ['again', 3],
      ['large', 8],
    ])
    const { scaled, noise } = await compareWithNoise(sites, 3, async (site) => figures.get(site) ?? 0)
    expect([scaled.ratio, noise.ratio]).toEqual([4, 1.5])
  })

  it('starts each round with another site', async () => {
    const measured: string[] = []
    await compareWithNoise(sites, 3, async (site) => measured.push(site))
    expect([measured[0], measured[3], measured[6]]).toEqual(['small', 'large', 'again'])
  })
})

describe('againstNoiseRow', () => {
  const row = (large: number, again: number) =>
    againstNoiseRow(
      'log in',
      {
        scaled: summarize([{ ours: large, other: 1 }]),
        noise: summarize([{ ours: again, other: 1 }]),
      },
      { small: 'few', text: String },
    )

  it.each([
    { title: 'no more than the small site from itself', large: 1.2, again: 1.25, passed: true },
    { title: 'no more than it from itself the other way', large: 1.2, again: 0.8, passed: true },
    { title: 'more', large: 1.3, again: 1.25, passed: false },
    { title: 'next to nothing', large: 1.04, again: 1, passed: true },
  ])('a large site that differs by $title: $passed', ({ large, again, passed }) => {
    expect(row(large, again).passed).toBe(passed)
  })
})
