import { describe, expect, it } from 'vitest'
import { median, quantile } from './median.ts'

describe('median', () => {
  it.each([
    { figures: [4], middle: 4 },
    { figures: [9, 1, 5], middle: 5 },
    { figures: [10, 2, 4, 8], middle: 6 },
    { figures: [100, 9, 20], middle: 20 },
  ])('of $figures is $middle', ({ figures, middle }) => {
    expect(median(figures)).toBe(middle)
  })

  it('does not change the order of its argument', () => {
    const figures = [3, 1, 2]
    median(figures)
    expect(figures).toEqual([3, 1, 2])
  })

  it('rejects an empty list', () => {
    expect(() => median([])).toThrow('no figures')
  })
})

describe('quantile', () => {
  it.each([
    { share: 0, figure: 1 },
    { share: 0.25, figure: 2 },
    { share: 0.9, figure: 4.6 },
    { share: 1, figure: 5 },
  ])('$share of one to five is $figure', ({ share, figure }) => {
    expect(quantile([5, 4, 3, 2, 1], share)).toBeCloseTo(figure)
  })
})
