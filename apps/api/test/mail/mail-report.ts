import type { MailReport } from '#integrations/mail/reports/mail-report.ts'

/** Returns a report that a message was not delivered for this reason. */
export function bounceOf(reason: string): MailReport {
  const [status = ''] = reason.split(' ')
  const diagnosis = reason.slice(status.length + 1)
  return { kind: 'bounced', status, diagnosis, reason, quoted: [] }
}
