import path from 'node:path'
import { pino } from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { pdfDocument, pdfMemo } from '#test/pdf/pdf-documents.ts'
import { type ReadPdf, readPdf } from '#test/pdf/read-pdf.ts'
import { type PdfDocument, type PdfFormat, pdfFormats } from './pdf-document.ts'
import { createTypstPdfRenderer } from './typst-pdf-renderer.ts'

const file = path.join(import.meta.dirname, 'pdf-compiler.ts')
const renderer = createTypstPdfRenderer({ file, logger: pino({ level: 'silent' }) })
afterAll(() => renderer.close())

async function read(document: PdfDocument): Promise<ReadPdf> {
  return await readPdf(await renderer.render(document, new Map()))
}

/** Returns where lines end, in points: before the margin, with a tolerance for rounding. */
function rightEdge(pages: ReadPdf['pages'], format: PdfFormat): number {
  return (pages[0]?.width ?? 0) - (format === 'phone' ? 22 : 113) + 0.5
}

const longWords = {
  address: `https://www.example.com/archive/a-long_path/and.dots?query=value&other=${'0123456789abcdef'.repeat(5)}`,
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'.repeat(2),
  snake_case: 'this_is_a_very_long_identifier_'.repeat(5),
  'German compound': 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz'.repeat(2),
  'word of several styles': '<b>abc</b>def'.repeat(30),
  'letter again and again': 'x'.repeat(300),
}
const places: readonly [string, (word: string) => string][] = [
  ['a paragraph', (word) => `<p>See ${word} there.</p>`],
  ['code', (word) => `<p><code>${word}</code></p>`],
  ['a heading', (word) => `<h2>${word}</h2>`],
  ['nested lists', (word) => `<ul><li>${word}<ol><li>${word}</li></ol></li></ul>`],
  ['a quote', (word) => `<blockquote><p>${word}</p></blockquote>`],
  [
    'narrow cells',
    (word) => `<table><caption>${word}</caption><tr><th>${word}</th><td>${word}</td><td>a</td></tr></table>`,
  ],
  ['right to left', (word) => `<p dir="rtl">שלום ${word}</p>`],
]
const cases = Object.entries(longWords).flatMap(([name, word]) =>
  places.flatMap(([place, html]) => pdfFormats.map((format) => ({ name, word, place, html, format }))),
)

describe('a long word', () => {
  it.each(cases)('breaks: $name in $place, as $format', async ({ word, html, format }) => {
    // Links have places in the PDF that tell where their words are.
    const linked = html(`<a href="https://example.com/x">${word}</a>`)
    const { pages, linkEdges } = await read(pdfDocument([pdfMemo('One', linked, { lang: 'de' })], format))
    expect(Math.max(...linkEdges)).toBeLessThanOrEqual(rightEdge(pages, format))
  })

  it.each(pdfFormats)('breaks long titles in the contents and long sources, as %s', async (format) => {
    const title = longWords['German compound']
    const host = `${longWords.snake_case}.example.com`
    const long = pdfMemo(title, '<p>a</p>', { lang: 'de', source: { url: 'https://example.com/', host } })
    const { pages, linkEdges, bookmarks } = await read(
      pdfDocument(
        Array.from({ length: 6 }, () => long),
        format,
      ),
    )
    expect(Math.max(...linkEdges)).toBeLessThanOrEqual(rightEdge(pages, format))
    expect(bookmarks).toEqual(Array.from({ length: 6 }, () => title))
  })
})
