import { describe, expect, it } from 'vitest'
import { oneLine } from './one-line.ts'

describe('text on one line', () => {
  it.each([
    ['a family emoji', 'Our 👩\u200d👩\u200d👧 day'],
    ['a Persian word with U+200C', 'می\u200cخواهم بدانم'],
    ['a Hindi word with U+200D', 'क्\u200dष'],
    ['the flag of England', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} wins'],
    ['marks of direction', 'C\u200f++ \u200e(a)\u061c'],
    ['isolated text', 'by \u2068שלום\u2069, today'],
    ['an Arabic number sign', '\u0600\u0661\u0662'],
  ])('keeps %s', (_name, text) => {
    expect(oneLine(text)).toBe(text)
  })

  it.each([
    ['line breaks', 'a\r\nBcc: b\u2028c\u2029d\u0085e', 'a Bcc: b c d e'],
    ['control characters', 'a\0b\x1bc\td', 'a b c d'],
    ['a soft hyphen in a word', 'Silver\u00adlake', 'Silverlake'],
    ['characters without width', 'a\u200bb\ufeffc\u2060d', 'abcd'],
    ['an override without an end', 'Gold\u202e now', 'Gold now'],
    ['tags without a flag', 'a\u{e0041}\u{e0042}b', 'ab'],
    ['spaces around', ' \u200b a \u00a0 ', 'a'],
  ])('leaves out %s', (_name, text, line) => {
    expect(oneLine(text)).toBe(line)
  })
})
