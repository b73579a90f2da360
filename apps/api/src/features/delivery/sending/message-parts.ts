import type { PdfFormat } from '#integrations/pdf/pdf-document.ts'
import type { DeliveryRecipient, MessageParts } from '../delivery-email.ts'
import type { StartedDelivery } from '../ledger/deliveries.repository.ts'
import { isPdfMethod, sharedEmail } from '../methods.ts'
import type { HandOver } from '../transports.ts'

/** The renditions of a content: without a PDF, with one of these pages, or without the one that could not be made. */
export type Rendition = 'no-pdf' | PdfFormat | 'failed-pdf'

/** Returns the rendition of a member. */
export function renditionOf(
  method: DeliveryRecipient['method'],
  { pdf, pdfFormat }: Pick<StartedDelivery, 'pdf' | 'pdfFormat'>,
): Rendition {
  if (isPdfMethod(method)) return pdfFormat
  if (pdf === null) return 'no-pdf'
  return pdf.state === 'failed' ? 'failed-pdf' : pdfFormat
}

/** Returns the parts of a rendition's messages. */
export function partsOf(method: DeliveryRecipient['method'], rendition: Rendition): MessageParts {
  const pdf = rendition === 'no-pdf' || rendition === 'failed-pdf' ? null : rendition
  const isAlone = rendition === 'no-pdf' || isPdfMethod(method)
  return { methods: isAlone ? [method] : [method, sharedEmail.pdf], pdf }
}

/** Returns the deliveries that one message carries, for the log of what is sent. */
export function messagesOf(row: StartedDelivery, method: DeliveryRecipient['method']) {
  const { id, state, attempts, memberId, pdf } = row
  const own = { id, state, attempts, memberId, method }
  const all = pdf === null ? [own] : [own, { ...pdf, memberId, method: sharedEmail.pdf }]
  return all.filter((each) => each.state === 'sending').map((each) => ({ ...each, message: id }))
}

/** Hands over nothing, because the PDF can't be made now. */
export const handOverNone: HandOver = async () => ({
  outcome: 'temporary',
  code: 'render',
  response: 'The PDF could not be rendered.',
})
