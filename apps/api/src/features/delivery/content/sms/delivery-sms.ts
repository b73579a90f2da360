import { howToStop } from '#features/delivery/content/sms/program-words.ts'
import type { DeliveryContent, DeliveryRecipient } from '#features/delivery/delivery-email.ts'
import { noDelivery, pdfPurposes } from '#features/delivery/links/signed-links.ts'
import type { SmsLinks } from '#features/delivery/links/sms-links.ts'
import { isPdfMethod } from '#features/delivery/methods.ts'
import type { PdfFormat } from '#integrations/pdf/pdf-document.ts'
import { composeSms, type SmsSite } from './compose-sms.ts'
import { countSegments } from './gsm.ts'
import { toGsm } from './to-gsm.ts'

type Deps = {
  site: SmsSite
  smsLinks: Pick<SmsLinks, 'linkTo'>
  maxSegments: number
  /** Of one segment. */
  price: { amount: number; currency: string }
}

type DeliveryMethod = DeliveryRecipient['method']

/** The parts of a text that differ from member to member. */
type OwnSms = { deliveryId: string; stopNotice: boolean }

/** The number of texts by one method, and of those that end with how to stop. */
type CountedSms = { method: DeliveryMethod; count: number; withStopNotice: number }

/** The cost of texts, before taxes and fees. */
export type SmsCost = { texts: number; segments: number; amount: number; currency: string }

export type DeliverySms = ReturnType<typeof createDeliverySms>

/** Creates the writer of texts: each edition as one text, with a link of each delivery to its page or its PDF. */
export function createDeliverySms({ site, smsLinks, maxSegments, price }: Deps) {
  /** Writes an edition once. The returned function adds the link of a delivery. */
  function prepare(
    content: DeliveryContent,
    method: DeliveryMethod,
    pdfFormat: PdfFormat,
  ): (text: OwnSms) => string {
    const isPdf = isPdfMethod(method)
    const purpose = isPdf ? pdfPurposes[pdfFormat] : 'view'
    // All links are equally long.
    const link = smsLinks.linkTo(purpose, noDelivery)
    const usual = composeSms(content, { site, link, maxSegments, isPdf })
    const monthly = composeSms(content, { site, link, maxSegments, isPdf, ending: howToStop })
    return ({ deliveryId, stopNotice }) =>
      (stopNotice ? monthly : usual).replace(link, smsLinks.linkTo(purpose, deliveryId))
  }

  /** Returns the text with a link that says that it is a test. */
  function sample(content: DeliveryContent, method: DeliveryMethod): string {
    return prepare(content, method, 'phone')({ deliveryId: noDelivery, stopNotice: false })
  }

  return {
    prepare,
    sample,
    /** Returns why texts change the site's name, or cost more because of it; null if they do neither. */
    nameWarning(): string | null {
      const written = toGsm(site.name)
      if (written === null)
        return 'SITE_NAME needs UCS-2, so a segment of a text has 67 places instead of 153'
      return written === site.name ? null : `SITE_NAME is written ${JSON.stringify(written)} in texts`
    },
    /** Returns the cost of an edition's texts, given their number by each method. */
    costOf(content: DeliveryContent, counts: readonly CountedSms[]): SmsCost {
      const { amount, currency } = price
      let texts = 0
      let segments = 0
      for (const { method, count, withStopNotice } of counts) {
        const textOf = prepare(content, method, 'phone')
        const segmentsOf = (stopNotice: boolean) =>
          countSegments(textOf({ deliveryId: noDelivery, stopNotice }))
        texts += count
        segments += (count - withStopNotice) * segmentsOf(false) + withStopNotice * segmentsOf(true)
      }
      return { texts, segments, amount: Math.round(segments * amount * 10_000) / 10_000, currency }
    },
  }
}
