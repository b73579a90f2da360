import type { MailReport } from './mail-report.ts'
import { readBlocks } from './report-fields.ts'

// Not `not-spam`, which takes a complaint back, and not `auth-failure`, which is about DNS (RFC 6591).
const complaints = new Set(['abuse', 'fraud', 'virus', 'other'])

/**
 * Reads a feedback report (ARF, RFC 5965) with the headers of the message that it returns. Returns null unless its
 * recipient complained.
 */
export function readFeedbackReport(text: string, returnedHeaders: string): MailReport | null {
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
