import { type Mailer, MailUnavailableError } from './mailer.ts'

/** Stands where no mail server is configured: every mail fails, so that it stays to be sent. */
export function createNoMailer(): Mailer {
  return {
    async send() {
      throw new MailUnavailableError('SMTP_URL is not set')
    },
    close() {},
  }
}
