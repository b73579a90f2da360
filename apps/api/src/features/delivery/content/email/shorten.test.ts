import { describe, expect, it, test } from 'vitest'
import { cleanHtml } from '#platform/html/clean-html.ts'
import { fairShare, shortenHtml, shortenText } from './shorten.ts'

const html =
  '<h2>In short</h2><ul><li>One <a href="https://example.com/a" rel="noopener noreferrer" target="_blank">link &amp; more</a>.</li><li>Two</li></ul><p>Grüße<br>aus dem Süden</p><table><tbody><tr><td>1</td><td>2</td></tr></tbody></table>'

describe('shortenHtml', () => {
  it('keeps every element closed and every entity whole, wherever it cuts', () => {
    for (let maxBytes = 0; maxBytes < Buffer.byteLength(html); maxBytes++) {
      const short = shortenHtml(html, maxBytes)
      expect(cleanHtml(short)).toBe(short)
      expect(Buffer.byteLength(short)).toBeLessThanOrEqual(maxBytes + 3)
    }
  })

  it('returns what fits as it is', () => {
    expect(shortenHtml(html, Buffer.byteLength(html))).toBe(html)
  })
})

describe('shortenText', () => {
  test.each([
    ['between words', 'one two three', 9, 'one two…'],
    ['inside a word that is too long', 'Donaudampfschifffahrt', 5, 'Donau…'],
    ['before an address', 'See https://example.com/a/b', 24, 'See…'],
    ['between letters of more than one byte', 'ééé', 3, 'é…'],
    ['before an entity', 'a &amp; b', 4, 'a…'],
  ])('cuts %s', (_name, text, maxBytes, expected) => {
    expect(shortenText(text, maxBytes)).toBe(expected)
  })
})

test('fairShare cuts the largest parts only', () => {
  expect(fairShare([10, 500, 20, 300], 330)).toBe(150)
  expect(fairShare([10, 20], 30)).toBe(Number.POSITIVE_INFINITY)
})
