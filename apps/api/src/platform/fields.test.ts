import { describe, expect, it } from 'vitest'
import { singleLine } from './fields.ts'

describe('singleLine', () => {
  it.each([
    ['A title', 'A title'],
    ['Two\r\nlines\tand a tab', 'Two lines and a tab'],
    ['مرحبا 👩‍👩‍👧 e\u0301', 'مرحبا 👩‍👩‍👧 e\u0301'],
    ['14\f12,400\u0085and\u0007\u000Bmore', '14 12,400 and more'],
    ['\u2067مرحبا\u2069 \u202Eabc', '\u2067مرحبا\u2069 abc'],
  ])('keeps %j as one line', (text, line) => {
    expect(singleLine('title', text)).toBe(line)
  })

  it.each(['\u0000', 'a\u0000b', '\uD83D', 'x\uDE42'])('rejects %j and names its field', (text) => {
    expect(() => singleLine('title', text)).toThrow(
      expect.objectContaining({
        code: 'invalid-request',
        status: 400,
        message: expect.stringMatching(/^title: /),
      }),
    )
  })
})
