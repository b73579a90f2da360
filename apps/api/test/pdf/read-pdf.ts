import { PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, PDFRef, PDFString } from 'pdf-lib'

/** The properties of a PDF for readers, screen readers and printers. */
export type ReadPdf = {
  title: string | undefined
  language: string | undefined
  /** PDF/UA-1, in its metadata. */
  isAccessible: boolean
  isTagged: boolean
  pages: { width: number; height: number }[]
  /** The structure types of all tagged parts, such as `H1`, `Figure` and `Link`. */
  tags: string[]
  /** The alternative texts of all figures; undefined for one without. */
  alts: (string | undefined)[]
  links: string[]
  /** Where links end on the right, in points, line by line. */
  linkEdges: number[]
  bookmarks: string[]
  /** The names of all fonts, without the tag of a subset. */
  fonts: string[]
  /** The names of fonts without an embedded file. */
  missingFonts: string[]
}

/** Reads a PDF as other programs do. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false })
  const dicts = pdf.context
    .enumerateIndirectObjects()
    .flatMap(([, object]) => (object instanceof PDFDict ? [object] : []))
  const ofType = (type: string) => dicts.filter((dict) => nameOf(dict, 'Type') === type)
  const elements = dicts.filter((dict) => dict.has(PDFName.of('S')) && dict.has(PDFName.of('P')))
  const metadata = pdf.catalog.lookup(PDFName.of('Metadata'))
  return {
    title: pdf.getTitle(),
    language: textOf(pdf.catalog, 'Lang'),
    isAccessible: new TextDecoder().decode(contentsOf(metadata)).includes('<pdfuaid:part>1'),
    isTagged: pdf.catalog.lookup(PDFName.of('MarkInfo'), PDFDict).toString().includes('/Marked true'),
    pages: pdf.getPages().map((page) => page.getSize()),
    tags: elements.map((element) => nameOf(element, 'S')),
    alts: elements.filter((each) => nameOf(each, 'S') === 'Figure').map((each) => textOf(each, 'Alt')),
    links: dicts.flatMap((dict) => {
      const action = dict.get(PDFName.of('A'))
      const target = action instanceof PDFRef ? pdf.context.lookup(action) : action
      const url = target instanceof PDFDict ? textOf(target, 'URI') : undefined
      return url === undefined ? [] : [url]
    }),
    linkEdges: dicts
      .filter((dict) => nameOf(dict, 'Subtype') === 'Link')
      .map((dict) => dict.lookup(PDFName.of('Rect'), PDFArray).asRectangle())
      .map(({ x, width }) => x + width),
    bookmarks: dicts
      .filter((dict) => dict.has(PDFName.of('Parent')) && dict.has(PDFName.of('Title')))
      .flatMap((dict) => textOf(dict, 'Title') ?? []),
    fonts: ofType('FontDescriptor').map((font) => nameOf(font, 'FontName').replace(/^[A-Z]{6}\+/, '')),
    missingFonts: ofType('FontDescriptor')
      .filter((font) => !['FontFile', 'FontFile2', 'FontFile3'].some((key) => font.has(PDFName.of(key))))
      .map((font) => nameOf(font, 'FontName')),
  }
}

function nameOf(dict: PDFDict, key: string): string {
  const value = dict.lookup(PDFName.of(key))
  return value instanceof PDFName ? value.decodeText() : ''
}

function textOf(dict: PDFDict, key: string): string | undefined {
  const value = dict.lookup(PDFName.of(key))
  return value instanceof PDFString || value instanceof PDFHexString ? value.decodeText() : undefined
}

function contentsOf(stream: unknown): Uint8Array {
  const isStream = typeof stream === 'object' && stream !== null && 'getContents' in stream
  if (!isStream || typeof stream.getContents !== 'function') return new Uint8Array()
  return stream.getContents()
}
