import type { MailReport } from './mail-report.ts'
import { readMimeParts } from './mime-parts.ts'
import { type ReportFields, readBlocks } from './report-fields.ts'
import { withoutAddresses } from './without-addresses.ts'

/** The part of a message that is read. What a report says comes before the message that it returns. */
export const maxReportBytes = 256_000

const deliveryStatusTypes = ['message/delivery-status', 'message/global-delivery-status']
const returnedTypes = ['message/rfc822', 'text/rfc822-headers', 'message/global', 'message/global-headers']
const reasonCharacters = 2_000
// Not `not-spam`, which takes a complaint back, and not `auth-failure`, which is about DNS (RFC 6591).
const complaints = new Set(['abuse', 'fraud', 'virus', 'other'])

/** Reads what a report says about our message. Returns null for any other email, such as an automatic reply. */
export function readReport(source: Uint8Array): MailReport | null {
  const parts = readMimeParts(source.subarray(0, maxReportBytes))
  const contentOf = (types: readonly string[]) => parts.find(({ type }) => types.includes(type))?.content
  const deliveryStatus = contentOf(deliveryStatusTypes)
  if (deliveryStatus !== undefined) return readDeliveryStatus(deliveryStatus)
  const feedback = contentOf(['message/feedback-report'])
  return feedback === undefined ? null : readFeedbackReport(feedback, contentOf(returnedTypes) ?? '')
}

/** Reads a delivery status (RFC 3464, RFC 6533). Returns null unless it reports a failure: a delay is none. */
function readDeliveryStatus(text: string): MailReport | null {
  const failed = readBlocks(text).find((fields) => /^failed\b/i.test(fields.get('action') ?? ''))
  if (failed === undefined) return null
  const diagnosis = (failed.get('diagnostic-code') ?? '').replace(/^[\w-]{1,40}\s*;\s*/, '')
  const status = statusOf(failed, diagnosis)
  const reason = withoutAddresses(`${status} ${diagnosis}`, reasonCharacters)
  return {
    kind: 'bounced',
    status,
    diagnosis: reason.slice(status.length).trim(),
    reason,
    quoted: [],
  }
}

/**
 * Servers such as Exim give a status that says nothing, and quote one that does. A report without any is as permanent as
 * the reply that it quotes.
 */
function statusOf(fields: ReportFields, diagnosis: string): string {
  const given = failureIn(fields.get('status'))
  const quoted = failureIn(diagnosis)
  const isGeneral = given?.endsWith('.0.0') ?? true
  if (isGeneral && quoted !== null && (given === null || quoted[0] === given[0])) return quoted
  return given ?? (/^4\d\d\b/.test(diagnosis) ? '4.0.0' : '5.0.0')
}

function failureIn(text = ''): string | null {
  return /\b[45]\.\d{1,3}\.\d{1,3}\b/.exec(text)?.[0] ?? null
}

/**
 * Reads a feedback report (ARF, RFC 5965) with the headers of the message that it returns. Returns null unless its
 * recipient complained.
 */
function readFeedbackReport(text: string, returnedHeaders: string): MailReport | null {
  const [fields] = readBlocks(text)
  const type = /^[\w-]{1,40}/.exec(fields?.get('feedback-type') ?? '')?.[0].toLowerCase() ?? ''
  if (!complaints.has(type)) return null
  const [returned] = readBlocks(returnedHeaders)
  // Providers remove some of these, and put others in their place.
  const addresses = [fields?.get('original-mail-from'), returned?.get('return-path')]
  const quoted = [
    ...addresses.map((text) => /[^\s<>]+@[^\s<>]+/.exec(text?.slice(0, 1_000) ?? '')?.[0]),
    /^[\w.-]{1,100}$/.exec(returned?.get('cfbl-feedback-id') ?? '')?.[0],
  ]
  return {
    kind: 'complained',
    status: type,
    diagnosis: '',
    reason: `complaint: ${type}`,
    quoted: quoted.filter((each) => each !== undefined),
  }
}
