import type { PdfDocument } from './pdf-document.ts'

/** The JPEGs of a document, by the names that it uses. */
export type PdfPictures = ReadonlyMap<string, Uint8Array>

export type PdfRenderer = {
  /** Changes when the same document would look different. */
  readonly version: string
  /** Renders a document as PDF/UA-1. Rejects with `service-unavailable` if it takes too long or too much memory. */
  render(document: PdfDocument, pictures: PdfPictures): Promise<Buffer>
  close(): Promise<void>
}
