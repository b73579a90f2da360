import { type Mailer, MailUnavailableError } from './mailer.ts'

/** Fails every email where no mail server is configured, so that each waits for one. */
export function createNoMailer(): Mailer {
  return {
    async send() {
      throw new MailUnavailableError('ENOTCONFIGURED', 'SMTP_URL is not set')
    },
    finish() {},
    close() {},
  }
}
