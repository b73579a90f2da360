import { PDFDict, PDFDocument, PDFHexString, PDFName, PDFRawStream, PDFString } from 'pdf-lib'

/**
 * Returns which rules of PDF/UA-1 a PDF breaks, of those that a program can check: structure, language, title, fonts,
 * alternative texts, links and bookmarks.
 */
export async function findAccessibilityProblems(bytes: Uint8Array): Promise<string[]> {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false })
  const { catalog, context } = pdf
  const dicts = context
    .enumerateIndirectObjects()
    .flatMap(([, object]) => (object instanceof PDFDict ? [object] : []))
  const having = (key: string, value: string) => dicts.filter((dict) => nameOf(dict, key) === value)
  const metadata = catalog.lookup(PDFName.of('Metadata'))
  const xmp = metadata instanceof PDFRawStream ? new TextDecoder().decode(metadata.getContents()) : ''
  const rules: Record<string, boolean> = {
    'has a structure tree': dictOf(catalog, 'StructTreeRoot')?.has(PDFName.of('K')) === true,
    'is marked as tagged': textAt(dictOf(catalog, 'MarkInfo'), 'Marked') === 'true',
    'has a language': /^[a-z]{2}/.test(textOf(catalog, 'Lang')),
    'has a title': (pdf.getTitle() ?? '') !== '' && /<dc:title>[\s\S]*\S[\s\S]*<\/dc:title>/.test(xmp),
    'shows its title': textAt(dictOf(catalog, 'ViewerPreferences'), 'DisplayDocTitle') === 'true',
    'says that it is PDF/UA-1': xmp.includes('<pdfuaid:part>1</pdfuaid:part>'),
    'has bookmarks': dictOf(catalog, 'Outlines')?.has(PDFName.of('First')) === true,
    'has its text in the structure tree': pdf
      .getPages()
      .every(({ node }) => node.has(PDFName.of('StructParents'))),
    'has annotations in the order of the text': pdf
      .getPages()
      .every(({ node }) => !node.has(PDFName.of('Annots')) || nameOf(node, 'Tabs') === 'S'),
    'embeds every font': fontsOf(dicts).every(isEmbedded),
    'has the characters of every font': having('Subtype', 'Type0').every((font) =>
      font.has(PDFName.of('ToUnicode')),
    ),
    'describes every figure': having('S', 'Figure').every((figure) => textOf(figure, 'Alt') !== ''),
    'describes every link': having('Subtype', 'Link').every((link) => textOf(link, 'Contents') !== ''),
    'has every link in the structure tree': having('Subtype', 'Link').every((link) =>
      link.has(PDFName.of('StructParent')),
    ),
  }
  return Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [rule]))
}

/** Returns the fonts that need a file: not those composed of others. */
function fontsOf(dicts: readonly PDFDict[]): PDFDict[] {
  return dicts.filter(
    (dict) => nameOf(dict, 'Type') === 'Font' && !['Type0', 'Type3'].includes(nameOf(dict, 'Subtype')),
  )
}

function isEmbedded(font: PDFDict): boolean {
  const descriptor = dictOf(font, 'FontDescriptor')
  return ['FontFile', 'FontFile2', 'FontFile3'].some((key) => descriptor?.has(PDFName.of(key)) === true)
}

function dictOf(dict: PDFDict, key: string): PDFDict | undefined {
  const value = dict.lookup(PDFName.of(key))
  return value instanceof PDFDict ? value : undefined
}

function nameOf(dict: PDFDict, key: string): string {
  const value = dict.lookup(PDFName.of(key))
  return value instanceof PDFName ? value.decodeText() : ''
}

function textAt(dict: PDFDict | undefined, key: string): string {
  return dict?.lookup(PDFName.of(key))?.toString() ?? ''
}

function textOf(dict: PDFDict, key: string): string {
  const value = dict.lookup(PDFName.of(key))
  return value instanceof PDFString || value instanceof PDFHexString ? value.decodeText() : ''
}
