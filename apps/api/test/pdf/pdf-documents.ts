import { toPdfElements } from '#features/delivery/content/pdf/to-pdf-elements.ts'
import type { PdfDocument, PdfFormat, PdfMemo } from '#integrations/pdf/pdf-document.ts'
import { cleanHtml } from '#platform/html/clean-html.ts'

const inherited = { lang: '', region: '', dir: '' } as const

/** A memo as a PDF shows it, from HTML. */
export function pdfMemo(title: string, html: string, fields: Partial<PdfMemo> = {}): PdfMemo {
  const body = toPdfElements(cleanHtml(html))
  const parts = { caption: '', picture: null, note: null, correction: null, source: null, body }
  return { ...inherited, dir: 'ltr', title, ...parts, ...fields }
}

/** An edition of these memos. */
export function pdfDocument(memos: PdfMemo[], format: PdfFormat = 'phone'): PdfDocument {
  return {
    ...inherited,
    lang: 'en',
    dir: 'ltr',
    format,
    title: 'Friday, November 20, 10AM · Tidings',
    siteName: 'Tidings',
    day: 'Friday, November 20',
    date: { year: 2026, month: 11, day: 20 },
    heading: '10AM',
    isDigest: false,
    editions: [{ slot: '10AM', memos }],
    end: 'That is the 10AM edition.',
    settings: { url: 'https://news.example.com/', label: 'Change how you receive editions' },
    imprint: 'Tidings LLC, Los Angeles, California',
  }
}
