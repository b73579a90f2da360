import { readDeliveryStatus } from './delivery-status.ts'
import { readFeedbackReport } from './feedback-report.ts'
import type { MailReport } from './mail-report.ts'
import { readMimeParts } from './mime-parts.ts'

/** The part of a message that is read. What a report says comes before the message that it returns. */
export const maxReportBytes = 256_000

const deliveryStatusTypes = ['message/delivery-status', 'message/global-delivery-status']
const returnedTypes = ['message/rfc822', 'text/rfc822-headers', 'message/global', 'message/global-headers']

/** Reads what a report says about our message. Returns null for any other email, such as an automatic reply. */
export function readReport(source: Uint8Array): MailReport | null {
  const parts = readMimeParts(source.subarray(0, maxReportBytes))
  const contentOf = (types: readonly string[]) => parts.find(({ type }) => types.includes(type))?.content
  const deliveryStatus = contentOf(deliveryStatusTypes)
  if (deliveryStatus !== undefined) return readDeliveryStatus(deliveryStatus)
  const feedback = contentOf(['message/feedback-report'])
  return feedback === undefined ? null : readFeedbackReport(feedback, contentOf(returnedTypes) ?? '')
}
