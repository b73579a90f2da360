import { describe, expect, test } from 'vitest'
import { countSegments } from './gsm.ts'

describe('countSegments', () => {
  test.each([
    ['nothing', '', 1],
    ['160 GSM characters', 'a'.repeat(160), 1],
    ['161 GSM characters', 'a'.repeat(161), 2],
    ['306 GSM characters', 'a'.repeat(306), 2],
    ['307 GSM characters', 'a'.repeat(307), 3],
    ['80 characters of the extension', '€'.repeat(80), 1],
    ['81 characters of the extension', '€'.repeat(81), 2],
    ['an extended character at the end of a segment', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 3],
    ['70 UCS-2 characters', 'ж'.repeat(70), 1],
    ['71 UCS-2 characters', 'ж'.repeat(71), 2],
    ['134 UCS-2 characters', 'ж'.repeat(134), 2],
    ['135 UCS-2 characters', 'ж'.repeat(135), 3],
    ['35 emoji', '🌊'.repeat(35), 1],
    ['an emoji that would be split', `${'ж'.repeat(66)}🌊${'ж'.repeat(66)}`, 3],
    ['accents of GSM', 'é'.repeat(160), 1],
    ['another accent', `á${'a'.repeat(70)}`, 2],
  ])('%s', (_what, text, segments) => {
    expect(countSegments(text)).toBe(segments)
  })
})
