/** The shapes of pages: 316 × 653 pt, as the site's phone, and A4 for printing. */
export const pdfFormats = ['phone', 'a4'] as const
export type PdfFormat = (typeof pdfFormats)[number]

/** The language and direction of a part; empty where it has those of the part around it. */
export type PdfLanguage = {
  /** ISO 639, two or three letters. */
  lang: string
  /** ISO 3166, two letters. */
  region: string
  dir: 'ltr' | 'rtl' | ''
}

type Part<Tag extends string> = PdfLanguage & { tag: Tag; children: readonly PdfNode[] }

/** Text, or an element with text in it. */
export type PdfNode = string | PdfElement

export type PdfElement =
  | Part<'div' | 'p' | 'ul' | 'li' | 'blockquote' | 'hr' | 'br'>
  | Part<'strong' | 'em' | 'u' | 'ins' | 's' | 'sup' | 'sub' | 'code' | 'span'>
  /** The text of a list item or a cell, which is no paragraph. */
  | Part<'line'>
  | (PdfLanguage & { tag: 'ol'; children: readonly PdfNumberedItem[] })
  | PdfNumberedItem
  | (Part<'a'> & { url: string })
  | (Part<'heading'> & {
      /** 1 for the highest heading in a memo. */
      level: number
    })
  | PdfTable

export type PdfNumberedItem = Part<'numbered-item'> & { mark: string }

/** A table whose cells have their places, so that none lies outside or on another one. */
export type PdfTable = Part<'table'> & {
  columns: number
  caption: PdfElement | null
  head: readonly (readonly PdfCell[])[]
  rows: readonly (readonly PdfCell[])[]
}

export type PdfCell = Part<'cell'> & {
  x: number
  y: number
  colspan: number
  rowspan: number
  isHeading: boolean
}

export type PdfMemo = PdfLanguage & {
  title: string
  caption: string
  picture: PdfPicture | null
  note: PdfElement | null
  body: PdfElement
  /** The line below it, `Corrected at 3:12 PM:` and a note with its own direction; null without one. */
  correction: { start: string; note: string; dir: 'ltr' | 'rtl' } | null
  source: { url: string; host: string } | null
}

export type PdfPicture = {
  /** Empty for a decorative picture. */
  alt: string
  /** The name of its JPEG among the pictures of the call; null if it is gone. */
  file: string | null
}

/** An edition, or the editions of a day, with all texts that its pages show. */
export type PdfDocument = PdfLanguage & {
  format: PdfFormat
  /** The document's title in readers and file managers. */
  title: string
  siteName: string
  day: string
  date: { year: number; month: number; day: number }
  /** Below the day: the slot, or the name of the digest. */
  heading: string
  isDigest: boolean
  editions: readonly { slot: string; memos: readonly PdfMemo[] }[]
  /** The line below the last memo. */
  end: string
  settings: { url: string; label: string }
  imprint: string
}
