import { describe, expect, test } from 'vitest'
import { isWithin } from './list.ts'

describe('bounds of time', () => {
  test.each([
    [undefined, true],
    [100, true],
    [101, false],
    [{ gt: 100 }, false],
    [{ gte: 100, lt: 101 }, true],
    [{ lte: 99 }, false],
  ])('%j around 100: %s', (bounds, expected) => {
    expect(isWithin(bounds, 100)).toBe(expected)
  })
})
