import type { DeliveryContent, PrepareDeliveryEmail } from '#features/delivery/delivery-email.ts'
import type { ReturnAddresses } from '#features/delivery/links/return-addresses.ts'
import type { SignedLinks } from '#features/delivery/links/signed-links.ts'
import { idOf, keyOf } from '#features/editions/index.ts'
import type { Attachment } from '#integrations/mail/bulk-mailer.ts'
import type { PdfFormat } from '#integrations/pdf/pdf-document.ts'
import type { DeliverySite } from '../edition-content.ts'
import type { EditionPdfs } from '../pdf/edition-pdfs.service.ts'
import { prepareDeliveryEmail } from './prepare-email.ts'
import { toEmailContent } from './to-email-content.ts'

type Deps = {
  deliverySite: DeliverySite
  signedLinks: SignedLinks
  returnAddresses: ReturnAddresses
  editionPdfs: Pick<EditionPdfs, 'of'>
}

/** Creates the renderer of emails: it renders each edition or digest once, and fills in the links of each delivery. */
export function createDeliveryEmails(deps: Deps): PrepareDeliveryEmail {
  const { deliverySite, signedLinks, returnAddresses, editionPdfs } = deps
  return async (content, { methods, pdf: attached }) => {
    const shown = toEmailContent(content, { methods, attached }, signedLinks)
    const fill = prepareDeliveryEmail(shown, deliverySite)
    const pdf = attached === null ? {} : await attachmentOf(content, attached)
    return ({ deliveryId, memberId, linkVersion }) => {
      const email = fill(signedLinks.ofDelivery(deliveryId, { memberId, methods, linkVersion }))
      return {
        ...email,
        ...pdf,
        headers: { ...email.headers, ...returnAddresses.headerOf(deliveryId) },
        envelopeFrom: returnAddresses.of(deliveryId),
      }
    }
  }

  async function attachmentOf(
    content: DeliveryContent,
    format: PdfFormat,
  ): Promise<{ attachment: Attachment }> {
    const bytes = await editionPdfs.of(content, format)
    const names = content.editions.map(({ edition }) => `${keyOf(idOf(edition))}.pdf`)
    return { attachment: { name: names[0] ?? '', type: 'application/pdf', bytes } }
  }
}
