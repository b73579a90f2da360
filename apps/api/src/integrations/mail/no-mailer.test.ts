import { expect, test } from 'vitest'
import { MailUnavailableError } from './mailer.ts'
import { createNoMailer } from './no-mailer.ts'

test('without a server every mail stays to be sent', async () => {
  const mailer = createNoMailer()
  const mail = {
    kind: 'signup-code',
    to: 'ada@example.com',
    appName: 'Tidings',
    code: '418206',
    minutes: 10,
  } as const
  const failure = mailer.send(mail, { messageId: 'mail-1' })
  await expect(failure).rejects.toThrow(MailUnavailableError)
  await expect(failure).rejects.toThrow('SMTP_URL is not set')
  mailer.close()
})
