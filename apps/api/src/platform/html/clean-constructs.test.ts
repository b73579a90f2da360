import { cleanConstructs, cleanText } from '@tidings/paste/testing/clean-constructs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanHtml, listRemoved } from './clean-html.ts'

// The desk's editor keeps the same texts, see its test `round-trip.test.ts`.
describe('cleanHtml, of what the editor writes', () => {
  it.each(Object.entries(cleanConstructs))('keeps %s', (_name, html) => {
    expect(cleanHtml(html)).toBe(html)
    expect(listRemoved(html)).toEqual([])
  })

  it('keeps any mix of them', () => {
    fc.assert(
      fc.property(cleanText, (html) => {
        expect(cleanHtml(html)).toBe(html)
      }),
      { seed: 37, numRuns: 500 },
    )
  })
})
