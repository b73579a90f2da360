import { cleanConstructs, cleanText } from '@tidings/paste/testing/clean-constructs'
import { parseHtml } from '@tidings/paste/testing/parse-html'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDocument } from './read-html.ts'
import { writeHtml } from './write-html.ts'

function edit(html: string): string {
  const doc = readDocument(parseHtml(html))
  doc.check()
  return writeHtml(doc)
}

describe('a text in the editor', () => {
  it.each(Object.entries(cleanConstructs))('keeps %s', (_name, html) => {
    expect(edit(html)).toBe(html)
  })

  it('keeps every text that the API stores', () => {
    fc.assert(
      fc.property(cleanText, (html) => {
        expect(edit(html)).toBe(html)
      }),
      { seed: 37, numRuns: 500 },
    )
  })

  it.each([
    ['white space between blocks', '<p>a</p>\n<p>b\n c</p>', '<p>a</p><p>b c</p>'],
    ['empty blocks', '<p>a</p><p> </p><ul><li></li></ul>', '<p>a</p>'],
    ['words in a division', '<div>a <b>b</b></div><div>c</div>', '<p>a <b>b</b></p><p>c</p>'],
    ['items without a list', '<li>a</li>', '<ul><li>a</li></ul>'],
    ['pictures and scripts', '<p>a<img src="x"><script>b</script></p>', '<p>a</p>'],
    [
      'a table in a cell',
      '<table><tr><td><table><tr><td>a</td></tr></table></td></tr></table>',
      '<table><tbody><tr><td><p>a</p></td></tr></tbody></table>',
    ],
  ])('writes %s as the API does', (_name, html, expected) => {
    expect(edit(html)).toBe(expected)
  })
})
