import { startEmulators } from '@tidings/emulators/emulators'
import { Webhook } from 'standardwebhooks'
import { describe, expect } from 'vitest'
import { createSmtpBulkMailer } from '#integrations/mail/smtp-bulk-mailer.ts'
import { sentDelivery } from '#test/factories/deliveries.ts'
import { siteTest } from '#test/fixtures.ts'
import { startBounceReceiver } from '#test/mail/bounce-receiver.ts'
import type { TestApp } from '#test/test-app.ts'
import { waitOptions } from '#test/wait-options.ts'

const secret = `whsec_${Buffer.from('a secret of the mail service').toString('base64')}`
const webhook = new Webhook(secret)
let days = 1

const it = siteTest({
  env: { MAIL_WEBHOOK_SECRET: secret, BOUNCE_DOMAIN: 'bounces.example.com', BOUNCE_LIMIT: '2' },
})
  .extend('sent', { scope: 'file' }, ({ site, members }) => async (email?: string) => {
    const member = await members.signUp(email === undefined ? {} : { email })
    const key = `10-${String(days++).padStart(2, '0')}-26-10AM`
    return { ...(await sentDelivery(site, { ...member, key })), ...member }
  })
  .extend('stateOf', { scope: 'file' }, ({ db }) => async ({ id }: { id: string }) => {
    const { state, reason } = await db.delivery.findUniqueOrThrow({ where: { id } })
    return [state, reason]
  })
  .extend('suppressionOf', { scope: 'file' }, ({ db }) => async (address: string) => {
    const row = await db.suppression.findUnique({ where: { address } })
    return row === null ? null : [row.kind, row.bounces, row.suppressedAt !== null]
  })

type Options = { id?: string; secondsAgo?: number; signature?: string; sign?: Webhook }

async function post({ app, clock }: TestApp, event: unknown, options: Options = {}) {
  const { id = `evt_${JSON.stringify(event).length}_${days++}`, secondsAgo = 0, sign = webhook } = options
  const payload = typeof event === 'string' ? event : JSON.stringify(event)
  const at = new Date(clock.now().getTime() - secondsAgo * 1000)
  const signature = options.signature ?? sign.sign(id, at, payload)
  return await app.inject({
    method: 'POST',
    url: '/webhooks/mail/events',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': signature,
    },
    payload,
  })
}

describe('POST /webhooks/mail/events', () => {
  it('records a delivery and counts bounces until the address is suppressed', async ({
    site,
    sent,
    stateOf,
    suppressionOf,
  }) => {
    const first = await sent('bounces@example.com')
    const messageId = `<delivery-${first.delivery.id}@tidings.example>`
    await post(site, { messageId, type: 'delivered' })
    expect(await stateOf(first.delivery)).toEqual(['delivered', null])
    await post(site, { messageId, type: 'bounced', reason: '5.1.1 unknown' })
    expect(await stateOf(first.delivery)).toEqual(['bounced', '5.1.1 unknown'])
    // Reported twice, it counts once.
    await post(site, { messageId, type: 'bounced', reason: 'again' })
    expect(await suppressionOf('bounces@example.com')).toEqual(['bounce', 1, false])
    await post(site, { recipient: 'Bounces@Example.com', type: 'bounced', reason: '5.1.1' })
    expect(await suppressionOf('bounces@example.com')).toEqual(['bounce', 2, true])
  })

  it('suppresses an address that complains at once, until the member lifts it', async ({
    site,
    sent,
    suppressionOf,
  }) => {
    const { delivery, email, headers } = await sent()
    const reason = 'Unwanted. '.repeat(200)
    await post(site, { messageId: `delivery-${delivery.id}`, type: 'complained', reason })
    expect(await suppressionOf(email)).toEqual(['complaint', 0, true])
    const own = async (method: 'GET' | 'DELETE') =>
      (await site.app.inject({ method, url: '/member/suppression', headers })).json().data
    expect(await own('GET')).toEqual({ kind: 'complaint', since: site.clock.now().toISOString() })
    expect(await own('DELETE')).toEqual({ success: true })
    expect(await own('GET')).toBeNull()
    expect(await suppressionOf(email)).toEqual(['complaint', 0, false])
  })

  it('answers a replayed event and does nothing', async ({ site, sent, suppressionOf }) => {
    const { email } = await sent()
    const event = { recipient: email, type: 'bounced' }
    for (let round = 0; round < 3; round++) {
      expect((await post(site, event, { id: 'evt_replayed' })).statusCode).toBe(200)
    }
    expect(await suppressionOf(email)).toEqual(['bounce', 1, false])
  })

  it('ignores messages and addresses that are not known', async ({ site, suppressionOf }) => {
    const unknown = [
      { messageId: '<email-1@tidings.example>', type: 'bounced' },
      { messageId: 'delivery-0199a1f4-1111-7abc-8def-0123456789ab', type: 'complained' },
      { recipient: 'stranger@example.com', type: 'complained' },
      { recipient: 'nobody', type: 'bounced' },
    ]
    for (const event of unknown) expect((await post(site, event)).statusCode).toBe(200)
    expect(await suppressionOf('stranger@example.com')).toBeNull()
  })

  it('refuses forged, old and unreadable events', async ({ site, sent, suppressionOf }) => {
    const { email } = await sent()
    const event = { recipient: email, type: 'complained' }
    const other = new Webhook(Buffer.from('another secret').toString('base64'))
    const refused: Options[] = [
      { sign: other },
      { signature: '' },
      { signature: 'v1,' },
      { signature: webhook.sign('evt_other', site.clock.now(), JSON.stringify(event)) },
      { secondsAgo: 301 },
      { secondsAgo: -301 },
      { id: '' },
    ]
    for (const options of refused) {
      const reply = await post(site, event, options)
      expect([reply.statusCode, reply.json().error.code]).toEqual([400, 'invalid-signature'])
    }
    for (const body of [
      '',
      'no',
      '[]',
      '{"type":"bounced"}',
      '{"type":"opened","recipient":"a@example.com"}',
    ]) {
      expect((await post(site, body)).json().error.code).toBe('unreadable-event')
    }
    expect(await suppressionOf(email)).toBeNull()
    expect((await post(site, event, { secondsAgo: 299 })).statusCode).toBe(200)
  })
})

describe('an address that the server refuses while sending', () => {
  it('is suppressed, unless the server refuses us and not the mailbox', async ({
    site,
    members,
    suppressionOf,
  }) => {
    const { recordRefusal } = site.context.bounces
    const gone = await members.signUp()
    const blocked = await members.signUp()
    for (let round = 0; round < 2; round++) {
      await recordRefusal(gone.email, '550 550 5.1.1 No such mailbox')
      await recordRefusal(blocked.email, '550 550 5.7.1 Your network is blocked')
      await recordRefusal(blocked.email, '550 Message rejected', 'data')
    }
    expect(await suppressionOf(gone.email)).toEqual(['bounce', 2, true])
    expect(await suppressionOf(blocked.email)).toBeNull()
  })

  it('is forgotten with its account', async ({ site, members, suppressionOf }) => {
    const { email, headers } = await members.signUp()
    await site.context.bounces.recordRefusal(email, '550 5.1.1')
    await site.app.inject({ method: 'DELETE', url: '/member', headers })
    expect(await suppressionOf(email)).toBeNull()
  })
})

describe('the bounce receiver', () => {
  it('records what a server returns after it accepted a message', async ({
    site,
    sent,
    stateOf,
    suppressionOf,
  }) => {
    const { delivery, email, memberId } = await sent()
    const { bounces } = site.context
    const { port } = await startBounceReceiver(bounces.handler)
    const emulators = await startEmulators({
      host: '127.0.0.1',
      port: 0,
      smtpPort: 0,
      now: () => site.clock.now(),
    })
    const mailer = createSmtpBulkMailer({
      url: emulators.smtpUrl,
      from: 'hello@example.com',
      clock: site.clock,
      connections: 1,
      perSecond: 0,
      dkim: null,
    })
    try {
      const bounceUrl = `smtp://127.0.0.1:${port}`
      await fetch(`${emulators.inboxUrl}/faults`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ bounce: [email], bounceUrl }),
      })
      const recipient = {
        deliveryId: delivery.id,
        memberId,
        linkVersion: 0,
        method: 'memo_email',
        address: email,
      } as const
      const content = { kind: 'memo', date: { year: 2026, month: 11, day: 20 }, editions: [] } as const
      const prepare = await site.context.prepareDeliveryEmail(content, { methods: ['memo_email'], pdf: null })
      const message = { ...prepare(recipient), to: email, messageId: `delivery-${delivery.id}` }
      expect(await mailer.send(message)).toEqual({ outcome: 'accepted' })
      await expect
        .poll(() => stateOf(delivery), waitOptions)
        .toEqual(['bounced', '5.1.1 550 5.1.1 The mailbox does not exist'])
      expect(await suppressionOf(email)).toEqual(['bounce', 1, false])
      const own = message.envelopeFrom ?? ''
      const forged = own.replace(/\.[0-9a-f]{20}@/, '.00000000000000000000@')
      expect([own, forged].map(bounces.handler.isReturnAddress)).toEqual([true, false])
    } finally {
      mailer.close()
      await emulators.stop()
    }
  })
})
