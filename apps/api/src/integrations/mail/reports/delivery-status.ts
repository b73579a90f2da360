import type { MailReport } from './mail-report.ts'
import { type ReportFields, readBlocks } from './report-fields.ts'
import { withoutAddresses } from './without-addresses.ts'

const reasonCharacters = 2_000

/** Reads a delivery status (RFC 3464, RFC 6533). Returns null unless it reports a failure: a delay is none. */
export function readDeliveryStatus(text: string): MailReport | null {
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
