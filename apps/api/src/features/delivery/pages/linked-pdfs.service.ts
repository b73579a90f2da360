import { type PdfFormat, pdfFormat } from '@tidings/contracts/delivery/deliveries'
import { getEditionId, idOf, keyOf } from '#features/editions/index.ts'
import type { Database } from '#platform/database.ts'
import { readContent } from '../content/edition-content.ts'
import type { EditionPdfs } from '../content/pdf/edition-pdfs.service.ts'
import { findLinkedDelivery, type LinkedDelivery } from '../ledger/linked-deliveries.repository.ts'
import { pdfPurposes, type RefusedLink, type SignedLinks } from '../links/signed-links.ts'

type Deps = { database: Database; signedLinks: Pick<SignedLinks, 'open'>; editionPdfs: EditionPdfs }

/** The PDF behind a link, null once its edition is withdrawn, or why there is none. */
export type LinkedPdf = { status: 'valid'; pdf: { key: string; bytes: Buffer } | null } | RefusedLink

export type LinkedPdfs = ReturnType<typeof createLinkedPdfs>

/** Creates the service of links to PDFs: those in emails name an edition and a format, those in texts a delivery. */
export function createLinkedPdfs({ database, signedLinks, editionPdfs }: Deps) {
  async function ofDelivery(delivery: LinkedDelivery, format: PdfFormat): Promise<LinkedPdf> {
    const content = await readContent(database.db, delivery.run)
    const [first] = content?.editions ?? []
    if (content === null || first === undefined) return { status: 'valid', pdf: null }
    const bytes = await editionPdfs.of(content, format)
    return { status: 'valid', pdf: { key: keyOf(idOf(first.edition)), bytes } }
  }

  return {
    /** Returns the PDF of a delivery, as it is now. */
    ofDelivery,
    /** Returns the PDF of a link, as it is now. Where it names a delivery, its purpose says which pages. */
    async open(pages: PdfFormat, token: string): Promise<LinkedPdf> {
      const link = signedLinks.open(pdfPurposes[pages], token)
      if (link.status !== 'valid') return link
      const [key = '', format] = link.subject.split('~')
      if (format === undefined) {
        const delivery = await findLinkedDelivery(database.db, link.subject)
        return delivery === null ? { status: 'expired' } : await ofDelivery(delivery, pages)
      }
      const bytes = await editionPdfs.ofPublished(getEditionId(key), pdfFormat.parse(format))
      return { status: 'valid', pdf: bytes === null ? null : { key, bytes } }
    },
  }
}
