import { createHash } from 'node:crypto'
import type { DeliveryContent } from '#features/delivery/delivery-email.ts'
import { type EditionId, type EditionRow, findEdition } from '#features/editions/index.ts'
import type { PdfDocument, PdfFormat } from '#integrations/pdf/pdf-document.ts'
import type { MediaStore } from '#integrations/storage/media-store.ts'
import { removeExpiredClaims } from '#platform/claims/claims.repository.ts'
import { contentOf, type DeliverySite } from '../edition-content.ts'
import { createPdfMaker, type PdfMakerDeps } from './pdf-maker.ts'
import { toPdfDocument } from './to-pdf-document.ts'

type Deps = PdfMakerDeps & { store: MediaStore; deliverySite: DeliverySite }

/** The widths of pictures: sharp on a phone, and on paper. */
const pictureWidths: Readonly<Record<PdfFormat, number>> = { phone: 720, a4: 1080 }
const keptDays = 30
const dayMs = 86_400_000

export type EditionPdfs = ReturnType<typeof createEditionPdfs>

/** Makes the PDFs of editions and digests, each once for all processes, and keeps them for 30 days. */
export function createEditionPdfs(deps: Deps) {
  const { database, clock, store, pdfStore, pdfRenderer, deliverySite: site } = deps
  const opening = new Map<string, Promise<Buffer>>()
  const make = createPdfMaker(deps)

  /** Returns the PDF of a content. Concurrent calls for the same version share one result, but not for unsaved text. */
  async function of(content: DeliveryContent, format: PdfFormat): Promise<Buffer> {
    if (content.isUnsaved) return await renderUnsaved(content, format)
    const versions = content.editions.map(({ edition: { id, version } }) => `${id}:${version}`)
    const memos = content.editions.flatMap((edition) => edition.memos.map(({ id }) => id))
    const key = [format, content.kind, ...versions, ...memos].join(' ')
    const known = opening.get(key)
    if (known !== undefined) return await known
    const opened = open(content, format).finally(() => opening.delete(key))
    opening.set(key, opened)
    return await opened
  }

  async function write(
    content: DeliveryContent,
    format: PdfFormat,
  ): Promise<{ document: PdfDocument; pictures: Map<string, Buffer> }> {
    const pictures = await readPictures(content, format)
    return {
      document: toPdfDocument(content, { site, format, pictures: new Set(pictures.keys()) }),
      pictures,
    }
  }

  /** Makes the PDF of unsaved text. It isn't stored, because each typed word would leave one. */
  async function renderUnsaved(content: DeliveryContent, format: PdfFormat): Promise<Buffer> {
    const { document, pictures } = await write(content, format)
    return await pdfRenderer.render(document, pictures)
  }

  async function open(content: DeliveryContent, format: PdfFormat): Promise<Buffer> {
    const { document, pictures } = await write(content, format)
    const hash = createHash('sha256').update(pdfRenderer.version).update(JSON.stringify(document))
    return await make(`${hash.digest('hex')}.pdf`, document, pictures)
  }

  /** Reads the pictures that are still stored. */
  async function readPictures(content: DeliveryContent, format: PdfFormat): Promise<Map<string, Buffer>> {
    const pictures = new Map<string, Buffer>()
    for (const { mediaFile } of content.editions.flatMap(({ memos }) => memos)) {
      if (mediaFile === null) continue
      const picture = await store.open(mediaFile, pictureWidths[format], 'jpeg')
      if (picture !== null) pictures.set(mediaFile, picture.bytes)
    }
    return pictures
  }

  return {
    of,

    /** Returns the PDF of a published edition as it is now; null if none is published. */
    async ofPublished(id: EditionId, format: PdfFormat): Promise<Buffer | null> {
      const edition = await findEdition(database.db, id)
      if (edition?.status !== 'published') return null
      return await ofEdition(edition, format)
    },

    /** Deletes PDFs that are older than 30 days. They are made again when they are asked for. */
    async removeOld(): Promise<void> {
      const now = clock.now()
      await removeExpiredClaims(database.db, now)
      await pdfStore.removeStoredBefore(new Date(now.getTime() - keptDays * dayMs))
    },
  }

  async function ofEdition(edition: EditionRow, format: PdfFormat): Promise<Buffer | null> {
    const content = await contentOf(database.db, 'memo', [edition])
    return content === null ? null : await of(content, format)
  }
}
