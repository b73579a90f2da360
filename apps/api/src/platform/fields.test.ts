import { describe, expect, it } from 'vitest'
import { singleLine } from './fields.ts'

describe('singleLine', () => {
  it.each([
    ['A title', 'A title'],
    ['Two\r\nlines\tand a tab', 'Two lines and a tab'],
    ['مرحبا 👩‍👩‍👧 e\u0301', 'مرحبا 👩‍👩‍👧 e\u0301'],
  ])('keeps %j as one line', (text, line) => {
    expect(singleLine('title', text)).toBe(line)
  })

  it.each(['\u0000', 'a\u0007b', '\u007F', '\u0085', '\uD83D', 'x\uDE42'])(
    'rejects %j and names its field',
    (text) => {
      expect(() => singleLine('title', text)).toThrow(
        expect.objectContaining({
          code: 'invalid-request',
          status: 400,
          message: expect.stringMatching(/^title: /),
        }),
      )
    },
  )
})
