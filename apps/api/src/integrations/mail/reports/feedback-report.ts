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
  const returnAddress = fields?.get('original-mail-from') ?? returned?.get('return-path')
  return {
    kind: 'complained',
    status: type,
    diagnosis: '',
    reason: `complaint: ${type}`,
    quoted: {
      returnAddress: /[^\s<>]+@[^\s<>]+/.exec(returnAddress?.slice(0, 1_000) ?? '')?.[0] ?? null,
      messageId: /[^\s<>]+@[^\s<>]+/.exec(returned?.get('message-id')?.slice(0, 1_000) ?? '')?.[0] ?? null,
    },
  }
}
