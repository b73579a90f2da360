/**
 * Emails to members: one file per email in `emails/`, and the outbox that sends each one once.
 *
 * Cause: the event that an email is about. The same cause never sends an email of one kind twice.
 */
export type { RefundedPayment } from './emails/fields.ts'
export { removeOldEmails } from './emails.repository.ts'
export { createEmailService, type EmailService } from './emails.service.ts'
export { lockAddresses } from './held-emails.repository.ts'
export { css, emailDocument, type Style, styles as emailStyles } from './layout/document.ts'
export { checkMailServers, sendEmail, waitingForServer } from './mail.jobs.ts'
export { createMailServerService, type MailServerService } from './mail-servers.service.ts'
export { createOperatorEmails } from './operator-emails.ts'
export { exportOutbox } from './outbox-metrics.ts'
export type { CodeEmail, Email, OperatorEmail } from './registry.ts'
