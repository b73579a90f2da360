import { startEmulators } from '@tidings/emulators/emulators'
import { expect, onTestFinished } from 'vitest'
import type { BulkMailer } from '#integrations/mail/bulk-mailer.ts'
import { createSmtpBulkMailer } from '#integrations/mail/smtp-bulk-mailer.ts'
import { createRecipient } from '#test/factories/recipients.ts'
import { startBounceReceiver } from '#test/mail/bounce-receiver.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'
import { waitOptions } from '#test/wait-options.ts'

let smtp: BulkMailer | null = null
const bulkMailer: BulkMailer = {
  concurrency: 2,
  send: async (message) =>
    (await smtp?.send(message)) ?? { outcome: 'unavailable', code: 'ENOTCONFIGURED', response: '' },
  finish: (withinMs) => smtp?.finish(withinMs),
  close: () => smtp?.close(),
}
const it = deliveryTest({
  env: { BOUNCE_DOMAIN: 'bounces.example.com', BOUNCE_LIMIT: '2' },
  overrides: { bulkMailer },
})

it('an address whose mails come back gets no more after the number that is set', async ({ delivery }) => {
  const { site, send, stateOf } = delivery
  const { clock, context } = site
  const emulators = await startEmulators({ host: '127.0.0.1', port: 0, smtpPort: 0, now: clock.now })
  onTestFinished(() => emulators.stop())
  smtp = createSmtpBulkMailer({
    url: emulators.smtpUrl,
    from: 'hello@example.com',
    clock,
    connections: 2,
    perSecond: 0,
    dkim: null,
  })
  const { port } = await startBounceReceiver(context.bounces.handler)
  const bounceUrl = `smtp://127.0.0.1:${port}`
  // Closed first: the mail servers wait for open connections.
  onTestFinished(() => smtp?.close())
  const gone = await createRecipient(site)
  const stays = await createRecipient(site)
  await fetch(`${emulators.inboxUrl}/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ bounce: [gone.email], bounceUrl }),
  })

  for (const key of ['11-20-26-A', '11-20-26-B']) {
    const run = await delivery.publish(key)
    await send(run)
    await expect.poll(() => stateOf(run, gone.memberId), waitOptions).toMatch(/^bounced 5\.1\.1/)
    expect(await stateOf(run, stays.memberId)).toBe('sent')
  }
  const last = await delivery.publish('11-20-26-C')
  await send(last)

  expect(await stateOf(last, gone.memberId)).toBe('suppressed bounce')
  expect(await stateOf(last, stays.memberId)).toBe('sent')
})
