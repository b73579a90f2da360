import { describe, expect, it } from 'vitest'
import { waitInWords } from './rate-limits.ts'

describe('waitInWords', () => {
  it.each([
    [1, 'in 10 seconds'],
    [10, 'in 10 seconds'],
    [11, 'in 20 seconds'],
    [50, 'in 50 seconds'],
    [51, 'in a minute'],
    [60, 'in a minute'],
    [61, 'in 2 minutes'],
    [898, 'in 15 minutes'],
    [3_540, 'in 59 minutes'],
    [3_541, 'in an hour'],
    [3_600, 'in an hour'],
    [3_601, 'in 61 minutes'],
    [7_140, 'in 119 minutes'],
    [7_141, 'in 2 hours'],
    [7_201, 'in 3 hours'],
    [86_400, 'in 24 hours'],
  ])('formats %i seconds as %j', (seconds, words) => {
    expect(waitInWords(seconds)).toBe(words)
  })
})
