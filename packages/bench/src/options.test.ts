import { describe, expect, it } from 'vitest'
import { measureNames } from './measure-names.ts'
import { parseOptions } from './options.ts'

describe('parseOptions', () => {
  it('runs all measures by default', () => {
    expect(parseOptions([])).toEqual({ names: measureNames, quick: false })
  })

  it('runs the given measures in their usual order', () => {
    expect(parseOptions(['scale', 'edition']).names).toEqual(['edition', 'scale'])
  })

  it('takes --quick anywhere', () => {
    expect(parseOptions(['--quick', 'scale'])).toEqual({ names: ['scale'], quick: true })
  })

  it('lists the measures when one is unknown', () => {
    expect(() => parseOptions(['speed'])).toThrow("'speed' is no measure. They are edition, live-feed")
  })
})
