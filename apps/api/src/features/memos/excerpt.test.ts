import { describe, expect, it } from 'vitest'
import { excerptOf } from './excerpt.ts'

const long = Array.from({ length: 100 }, (_, index) => `word${index}`).join(' ')

describe('an excerpt', () => {
  it('is the whole of a short text, on one line', () => {
    expect(excerptOf(' A short\n text ', 'text')).toBe('A short text')
  })

  it('surrounds the first word that was typed, and ends between words', () => {
    const excerpt = excerptOf(long, 'missing WORD70 word80')

    expect(excerpt).toMatch(/^…word\d+ .*word70 .*word\d+…$/)
    expect(excerpt.length).toBeLessThanOrEqual(202)
  })

  it('surrounds one or two letters at the beginning of a word', () => {
    expect(excerptOf(`A museum ${long} Of the EU.`, 'eu')).toMatch(/^…word.* Of the EU\.$/)
    expect(excerptOf(`C++ ${long}`, 'c+')).toMatch(/^C\+\+ word0 /)
  })

  it('begins at the beginning without a word that was found', () => {
    expect(excerptOf(long, 'missing')).toMatch(/^word0 .*word\d+…$/)
    expect(excerptOf(long)).toBe(excerptOf(long, 'missing'))
  })

  it('cuts a text without spaces', () => {
    expect(excerptOf('x'.repeat(500), 'x')).toBe(`${'x'.repeat(200)}…`)
  })
})
