import { describe, expect, it } from 'vitest'
import { summarize, takePairs } from './pairs.ts'

describe('takePairs', () => {
  it('lets the sides start alternately', async () => {
    const order: string[] = []
    const side = (name: string) => async () => order.push(name)
    await takePairs(3, { ours: side('ours'), other: side('other') })
    expect(order).toEqual(['ours', 'other', 'other', 'ours', 'ours', 'other'])
  })

  it('keeps each figure on its own side', async () => {
    const { pairs } = await takePairs(2, { ours: async () => 1, other: async () => 2 })
    expect(pairs).toEqual([
      { ours: 1, other: 2 },
      { ours: 1, other: 2 },
    ])
  })

  it('reports each pair', async () => {
    const told: number[] = []
    await takePairs(2, { ours: async () => 1, other: async () => 2 }, (_pair, taken) => told.push(taken))
    expect(told).toEqual([1, 2])
  })
})

describe('summarize', () => {
  const drifting = [
    { ours: 9, other: 10 },
    { ours: 90, other: 100 },
    { ours: 4, other: 2 },
  ]

  it('takes the median of the ratios, not the ratio of the medians', () => {
    expect(summarize(drifting).ratio).toBe(0.9)
  })

  it('returns the median of each side', () => {
    expect(summarize(drifting)).toMatchObject({ ours: 9, other: 10 })
  })

  it('shows the spread of the ratios', () => {
    expect(summarize(drifting).spread).toEqual([0.9, 2])
  })
})
