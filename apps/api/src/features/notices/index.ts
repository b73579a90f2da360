/**
 * Mails that tell a member what has happened to their account or to what they pay for.
 *
 * Notice: such a mail; it carries no code. Cause: what a notice is told of, once.
 */
export type { Notice, RefundedPayment } from './notice.ts'
export { noticeWritten } from './notices.jobs.ts'
export { removeOldNotices } from './notices.repository.ts'
export { createNoticeService, type NoticeService } from './notices.service.ts'
