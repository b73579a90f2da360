import { describe, expect, test } from 'vitest'
import { changeMetadata } from './params.ts'

describe('metadata', () => {
  test.each([
    [undefined, { a: '1', b: '2' }],
    [null, {}],
    [
      { b: '', c: '3' },
      { a: '1', c: '3' },
    ],
  ])('changed by %j', (change, expected) => {
    expect(changeMetadata({ a: '1', b: '2' }, change)).toEqual(expected)
  })
})
