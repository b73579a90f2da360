import { expect, test } from 'vitest'
import { MailUnavailableError } from './mailer.ts'
import { createNoMailer } from './no-mailer.ts'

test('without a mail server every email fails as unavailable, so that its job is retried', async () => {
  const mailer = createNoMailer()
  const email = { to: 'ada@example.com', subject: 'A subject', html: '', text: '', messageId: 'email-1' }
  const sent = mailer.send(email)
  await expect(sent).rejects.toThrow(MailUnavailableError)
  await expect(sent).rejects.toThrow('SMTP_URL is not set')
  mailer.close()
})
