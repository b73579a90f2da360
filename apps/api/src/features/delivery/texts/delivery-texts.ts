import type { DeliveryContent } from '../delivery-email.ts'
import type { SignedLinks } from '../links/signed-links.ts'
import { composeText, type TextSite } from './compose-text.ts'
import { countSegments } from './gsm.ts'

type Deps = {
  site: TextSite
  signedLinks: Pick<SignedLinks, 'linkTo'>
  maxSegments: number
  /** Of one segment. */
  price: { amount: number; currency: string }
}

/** What texts cost, before taxes and fees. */
export type TextCost = { texts: number; segments: number; amount: number; currency: string }

// Its link leads nowhere, and is as long as every other one.
const noDelivery = '00000000-0000-0000-0000-000000000000'

export type DeliveryTexts = ReturnType<typeof createDeliveryTexts>

/** Creates what writes each edition as a text, with a link of each delivery. */
export function createDeliveryTexts({ site, signedLinks, maxSegments, price }: Deps) {
  const linkOf = (deliveryId: string) => signedLinks.linkTo('view', deliveryId)

  /** Writes an edition once. The returned function adds the link of a delivery. */
  function prepare(content: DeliveryContent): (deliveryId: string) => string {
    const link = linkOf(noDelivery)
    const head = composeText(content, { site, link, maxSegments }).slice(0, -link.length)
    return (deliveryId) => head + linkOf(deliveryId)
  }

  return {
    prepare,
    /** Returns the text with a link that leads nowhere. */
    sample: (content: DeliveryContent) => prepare(content)(noDelivery),
    /** Returns what so many texts of an edition cost. */
    costOf(content: DeliveryContent, texts: number): TextCost {
      const segments = texts * countSegments(prepare(content)(noDelivery))
      const { amount, currency } = price
      return { texts, segments, amount: Math.round(segments * amount * 10_000) / 10_000, currency }
    },
  }
}
