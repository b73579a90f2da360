import { expect, it } from 'vitest'
import { kilobytes, milliseconds, perSecond, spreadText } from './figures.ts'

it.each([
  { text: milliseconds(0.1234), expected: '0.123 ms' },
  { text: milliseconds(3.456), expected: '3.46 ms' },
  { text: milliseconds(38.21), expected: '38.2 ms' },
  { text: kilobytes(118_400), expected: '118.4 kB' },
  { text: perSecond(12_345.6), expected: '12,346/s' },
  { text: perSecond(37.46), expected: '37.5/s' },
  { text: spreadText(0.934, [0.88, 1.02]), expected: '0.93 (0.88–1.02)' },
])('figures are written like $expected', ({ text, expected }) => {
  expect(text).toBe(expected)
})
