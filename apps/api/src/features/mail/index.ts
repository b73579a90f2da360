/**
 * Emails to members about their account and their plan.
 *
 * Cause: the event that an email is about. The same cause never sends an email of one kind twice.
 */
export type { Email, RefundedPayment } from './email.ts'
export { removeOldEmails } from './emails.repository.ts'
export { createEmailService, type EmailService } from './emails.service.ts'
export { sendEmail } from './mail.jobs.ts'
