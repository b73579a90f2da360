import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseRange } from './byte-range.ts'

const version = { tag: 'a-1', size: 1000 }

function chosen(range: string, headers: Record<string, string> = {}, method = 'GET') {
  return chooseRange({ method, headers: { range, ...headers } }, version)
}

describe('chooseRange', () => {
  it.for([
    ['bytes=0-0', 0, 0],
    ['bytes=0-1', 0, 1],
    ['bytes=10-', 10, 999],
    ['bytes=-1', 999, 999],
    ['bytes=-5000', 0, 999],
    ['bytes=990-5000', 990, 999],
    ['BYTES=0-9', 0, 9],
    ['bytes= 0-9 ', 0, 9],
    ['bytes=0-9,', 0, 9],
  ] as const)('of %j is the bytes %i to %i', ([range, first, last]) => {
    expect(chosen(range)).toEqual({ first, last })
  })

  it.for(['bytes=1000-', 'bytes=5000-6000', 'bytes=-0'])('of %j does not exist', (range) => {
    expect(chosen(range)).toBeNull()
  })

  it.for([
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=9-1',
    'bytes=a-b',
    'bytes=0x1-2',
    'bytes=0-1,5-6',
    'bytes=0-9,x',
    'lines=1-2',
  ])('of %j is everything', (range) => {
    expect(chosen(range)).toBeUndefined()
  })

  it('is everything for HEAD, and unless If-Range names this version', () => {
    expect(chosen('bytes=0-9', {}, 'HEAD')).toBeUndefined()
    expect(chosen('bytes=0-9', { 'if-range': '"a-1"' })).toEqual({ first: 0, last: 9 })
    for (const other of ['"a-2"', 'W/"a-1"', 'a-1', 'Fri, 20 Nov 2026 17:00:00 GMT']) {
      expect(chosen('bytes=0-9', { 'if-range': other })).toBeUndefined()
    }
  })

  it('is always inside the file', () => {
    const numbers = fc.option(fc.nat(2000), { nil: '' })
    const text = fc.oneof(
      fc.tuple(numbers, numbers).map(([first, last]) => `bytes=${first}-${last}`),
      fc.string().map((rest) => `bytes=${rest}`),
    )
    const check = fc.property(text, fc.nat(1500), (range, size) => {
      const found = chooseRange({ method: 'GET', headers: { range } }, { tag: 'a', size })
      if (found == null) return
      expect(found.first).toBeGreaterThanOrEqual(0)
      expect(found.first).toBeLessThanOrEqual(found.last)
      expect(found.last).toBeLessThan(size)
    })
    fc.assert(check, { seed: 35, numRuns: 2000 })
  })
})
