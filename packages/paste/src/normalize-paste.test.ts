import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { normalizePaste } from './normalize-paste.ts'
import { parseDocument, parseHtml, toHtml } from './testing/parse-html.ts'

const blocks =
  'p|h[1-6]|ul|ol|li|table|tbody|tr|td|th|blockquote|div|details|summary|figure|pre|hr|html|head|body'

function normalize(html: string, language = 'en'): string {
  return toHtml(normalizePaste(parseHtml(html), { language }))
}

/** Removes the white space that shows nothing. */
function compact(html: string): string {
  return html
    .replaceAll(/\s+/g, ' ')
    .replaceAll(new RegExp(` ?(</?(?:${blocks})\\b[^>]*>) ?`, 'g'), '$1')
    .trim()
}

describe('the clipboard of', () => {
  const folder = new URL('../fixtures/', import.meta.url)
  const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')
  const programs = readdirSync(folder).filter((name) => !name.endsWith('.expected.html'))

  test.each(programs)('%s arrives as its author saw it', (name) => {
    const expected = read(name.replace('.html', '.expected.html'))
    expect(compact(normalize(read(name)))).toBe(compact(expected))
  })

  test.each(programs)('%s arrives the same when it is parsed as a document', (name) => {
    const expected = read(name.replace('.html', '.expected.html'))
    const document = normalizePaste(parseDocument(read(name)), { language: 'en' })
    expect(compact(toHtml(document)).replaceAll(/<\/?(?:html|head|body)\b[^>]*>/g, '')).toBe(
      compact(expected),
    )
  })
})
