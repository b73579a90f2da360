import type { PdfFormat } from '#integrations/pdf/pdf-document.ts'
import type { DeliveryContent, DeliveryRecipient } from '../delivery-email.ts'
import { noDelivery, pdfPurposes, type SignedLinks } from '../links/signed-links.ts'
import { composeText, type TextSite } from './compose-text.ts'
import { countSegments } from './gsm.ts'

type Deps = {
  site: TextSite
  signedLinks: Pick<SignedLinks, 'linkTo'>
  maxSegments: number
  /** Of one segment. */
  price: { amount: number; currency: string }
}

type DeliveryMethod = DeliveryRecipient['method']

/** What texts cost, before taxes and fees. */
export type TextCost = { texts: number; segments: number; amount: number; currency: string }

export type DeliveryTexts = ReturnType<typeof createDeliveryTexts>

/** Creates what writes each edition as a text, with a link of each delivery: to its page, or to its PDF. */
export function createDeliveryTexts({ site, signedLinks, maxSegments, price }: Deps) {
  /** Writes an edition once. The returned function adds the link of a delivery. */
  function prepare(
    content: DeliveryContent,
    method: DeliveryMethod,
    pdfFormat: PdfFormat,
  ): (deliveryId: string) => string {
    const isPdf = method === 'pdf_sms'
    // The same words for both kinds of pages, so that they cost the same.
    const link = signedLinks.linkTo(isPdf ? pdfPurposes.phone : 'view', noDelivery)
    const head = composeText(content, { site, link, maxSegments, isPdf }).slice(0, -link.length)
    const purpose = isPdf ? pdfPurposes[pdfFormat] : 'view'
    return (deliveryId) => head + signedLinks.linkTo(purpose, deliveryId)
  }

  /** Returns the text with a link that says that it is a test. */
  function sample(content: DeliveryContent, method: DeliveryMethod): string {
    return prepare(content, method, 'phone')(noDelivery)
  }

  return {
    prepare,
    sample,
    /** Returns what texts of an edition cost, given their number by each method. */
    costOf(content: DeliveryContent, counts: readonly { method: DeliveryMethod; count: number }[]): TextCost {
      const { amount, currency } = price
      let texts = 0
      let segments = 0
      for (const { method, count } of counts) {
        texts += count
        segments += count * countSegments(sample(content, method))
      }
      return { texts, segments, amount: Math.round(segments * amount * 10_000) / 10_000, currency }
    },
  }
}
