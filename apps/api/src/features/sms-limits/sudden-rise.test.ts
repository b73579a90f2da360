import { describe, expect, it } from 'vitest'
import { isSuddenRise, usualOf } from './sudden-rise.ts'

describe('usualOf', () => {
  it.each([
    [[], 0],
    [[4], 4],
    [[4, 8], 6],
    [[9, 1, 5], 5],
    [[0, 0, 0, 0, 300, 500, 900], 0],
    [[10, 11, 12, 10, 400, 9, 10], 10],
  ])('of %j is %d', (before, usual) => {
    expect(usualOf(before)).toBe(usual)
  })
})

describe('isSuddenRise', () => {
  it.each([
    ['a young site below the floor', { now: 20, before: [] }, false],
    ['a young site above the floor', { now: 21, before: [] }, true],
    ['a quiet site', { now: 21, before: [0, 0, 1, 0, 0, 2, 0] }, true],
    ['a busy site at five times the usual', { now: 50, before: [10, 10, 10, 10, 10, 10, 10] }, false],
    ['a busy site above it', { now: 51, before: [10, 10, 10, 10, 10, 10, 10] }, true],
    ['a site after three days of fraud', { now: 51, before: [900, 900, 900, 10, 10, 10, 10] }, true],
    ['a site on its third day', { now: 41, before: [8, 8] }, true],
  ])('%s', (_title, codes, expected) => {
    expect(isSuddenRise(codes, 20)).toBe(expected)
  })
})
