import { builtInAccount } from '@tidings/emulators/twilio/accounts'
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js'
import { afterAll, describe, expect } from 'vitest'
import { createSmsRecipient } from '#test/factories/recipients.ts'
import { deliveryTest } from '#test/sites/delivery-site.ts'
import { startEarlyServer } from '#test/sites/early-server.ts'
import { startPhones } from '#test/sms/phones.ts'
import { waitOptions } from '#test/wait-options.ts'

const siteUrl = 'http://localhost:3000'
const server = await startEarlyServer()
const phones = await startPhones({
  incomingUrl: `${siteUrl}/webhooks/twilio/incoming`,
  callbackOrigin: server.url,
})
afterAll(async () => {
  await phones.stop()
  await server.close()
})

const key = '11-20-26-A'
const pdfBySms = { getPDFMethodBySMS: true }
const it = deliveryTest({ env: phones.env })
let isRouted = false
it.beforeEach(async ({ delivery }) => {
  if (!isRouted) server.routeTo(delivery.site.app)
  isRouted = true
  await phones.setFaults({})
})

function signed(
  path: string,
  fields: Record<string, string>,
  { token = builtInAccount.authToken, origin = siteUrl } = {},
) {
  return {
    method: 'POST' as const,
    url: path,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': getExpectedTwilioSignature(token, `${origin}${path}`, fields),
    },
    payload: new URLSearchParams(fields).toString(),
  }
}

describe('POST /webhooks/twilio/status', () => {
  it.for(['in-order', 'repeated', 'reversed'])(
    'callbacks %s mark a text as delivered',
    async (callbacks, { delivery }) => {
      const { memberId } = await createSmsRecipient(delivery.site)
      const run = await delivery.publish(key)
      await phones.setFaults({ callbacks })
      await delivery.sendSms(run)
      await expect.poll(() => delivery.stateOf(run, memberId), waitOptions).toBe('delivered')
      expect(await delivery.runOf(key)).toMatchObject({ state: 'done' })
    },
  )

  it('a number that gets no texts is suppressed', async ({ delivery }) => {
    const { memberId, number } = await createSmsRecipient(delivery.site)
    await phones.setFaults({ unreachable: [number] })
    const run = await delivery.publish(key)
    await delivery.sendSms(run)
    await expect.poll(() => delivery.stateOf(run, memberId), waitOptions).toBe('bounced 30005 undelivered')
    const next = await delivery.publish('11-20-26-B')
    expect(await delivery.stateOf(next, memberId)).toBe('suppressed bounce')
  })

  it('a callback proves that a text was accepted', async ({ delivery }) => {
    const { memberId } = await createSmsRecipient(delivery.site)
    const run = await delivery.publish(key)
    await phones.setFaults({ failAcceptedEvery: 1 })
    await delivery.sendSms(run)
    await expect.poll(() => delivery.stateOf(run, memberId), waitOptions).toMatch(/^delivered/)
  })

  it.for([
    ['sent', ['delivered', 'failed'], 'delivered'],
    ['sent', ['undelivered', 'delivered'], 'delivered'],
    ['sent', ['undelivered', 'sent'], 'bounced 30005 undelivered'],
    ['planned', ['delivered', 'sent'], 'delivered'],
    ['planned', ['failed'], 'planned'],
  ] as const)('a text that is %s becomes after %s %s', async ([state, statuses, expected], { delivery }) => {
    const { site, db, stateOf } = delivery
    const { memberId, number } = await createSmsRecipient(site)
    const run = await delivery.publish(key)
    const { id } = await db.delivery.findFirstOrThrow({ where: { memberId } })
    await db.delivery.update({ where: { id }, data: { state } })
    for (const MessageStatus of statuses) {
      const fields = { MessageStatus, To: number, ErrorCode: MessageStatus === 'undelivered' ? '30005' : '' }
      await site.app.inject(signed(`/webhooks/twilio/status?delivery=${id}`, fields))
    }
    expect(await stateOf(run, memberId)).toBe(expected)
  })

  it('a late callback of a deleted delivery is accepted', async ({ delivery: { site } }) => {
    const path = '/webhooks/twilio/status?delivery=01900000-0000-7000-8000-000000000000'
    const reply = await site.app.inject(signed(path, { MessageStatus: 'delivered' }))
    expect([reply.statusCode, reply.body]).toEqual([200, '<Response/>'])
  })
})

describe('POST /webhooks/twilio/incoming', () => {
  it('STOP during a send ends the texts of all members with the number, and START starts them', async ({
    delivery,
  }) => {
    const { site, stateOf } = delivery
    const ann = await createSmsRecipient(site)
    const sharer = await createSmsRecipient(site, { number: ann.number })
    const pdfs = await createSmsRecipient(site, { number: ann.number, methods: pdfBySms })
    const bob = await createSmsRecipient(site)
    const run = await delivery.publish(key)
    await phones.reply(ann.number, ' Stop ')

    await delivery.sendSms(run)

    expect(await stateOf(run, ann.memberId)).toBe('suppressed unsubscribed')
    expect(await stateOf(run, pdfs.memberId)).toBe('suppressed unsubscribed')
    expect(await stateOf(run, sharer.memberId)).toBe('suppressed unsubscribed')
    expect(await stateOf(run, bob.memberId)).toMatch(/sent|delivered/)
    expect(await phones.conversation(ann.number)).not.toContain('You get no more texts')
    await phones.reply(ann.number, 'START')
    const next = await delivery.publish('11-20-26-B')
    await delivery.sendSms(next)
    expect(await stateOf(next, ann.memberId)).toMatch(/sent|delivered/)
  })

  it('START adds nothing to the PDFs of a member whose texts are on', async ({ delivery: { site, db } }) => {
    const { memberId, number } = await createSmsRecipient(site, { methods: pdfBySms })
    await phones.reply(number, 'START')
    const { customFields } = await db.member.findUniqueOrThrow({ where: { id: memberId } })
    expect(customFields).toMatchObject(pdfBySms)
    expect(customFields).not.toHaveProperty('getmemomethodbysms')
  })

  it('START turns on again what STOP turned off', async ({ delivery: { site, db } }) => {
    const { memberId, number } = await createSmsRecipient(site, { methods: pdfBySms })
    await phones.reply(number, 'STOP')
    await phones.reply(number, 'START')
    const { customFields } = await db.member.findUniqueOrThrow({ where: { id: memberId } })
    expect(customFields).toMatchObject(pdfBySms)
    expect(customFields).not.toMatchObject({ getmemomethodbysms: true })
  })

  it('START leaves the digest on', async ({ delivery: { site, db } }) => {
    const { memberId, number } = await createSmsRecipient(site, { methods: { combinestatus: true } })
    await phones.reply(number, 'START')
    const { customFields } = await db.member.findUniqueOrThrow({ where: { id: memberId } })
    expect(customFields).toMatchObject({ combinestatus: true })
    expect(customFields).not.toMatchObject({ getmemomethodbysms: true })
  })

  it('a word that Twilio does not know is replied to', async ({ delivery }) => {
    const { memberId, number } = await createSmsRecipient(delivery.site)
    await phones.reply(number, 'Stop, all!')
    expect(await phones.conversation(number)).toContain('Tidings: You get no more texts from us.')
    const { customFields } = await delivery.db.member.findUniqueOrThrow({ where: { id: memberId } })
    expect(customFields).toMatchObject({ getmemomethodbysms: false })
    await phones.reply(number, 'he lp')
    expect(await phones.conversation(number)).toContain('Questions? Write to hello@tidings.example')
  })

  it.for(['REVOKE', 'optout', 'Opt out', 'ＳＴＯＰ', '“Stop”', 'ARRÊT', 'Please stop texting me', 'STOP 🛑'])(
    '%j ends texts, and YES begins them again',
    async (body, { delivery: { site, db } }) => {
      const { memberId, number } = await createSmsRecipient(site)
      const isOn = async () => (await db.member.findUniqueOrThrow({ where: { id: memberId } })).customFields
      await phones.reply(number, body)
      expect(await isOn()).toMatchObject({ getmemomethodbysms: false })
      await phones.reply(number, 'YES')
      expect(await isOn()).toMatchObject({ getmemomethodbysms: true })
    },
  )

  it.for([
    ['STOP', 'Tschüss', false],
    ['STOP', 'START', false],
    ['HELP', 'STOP', true],
    ['', 'STOP', false],
    ['OTHER', 'STOP', false],
  ] as const)(
    'OptOutType %j is believed before the words %j, and Twilio has replied',
    async ([OptOutType, Body, isOn], { delivery: { site, db } }) => {
      const { memberId, number } = await createSmsRecipient(site)
      const fields = { MessageSid: `SM${memberId}`, From: number, Body, OptOutType }
      const reply = await site.app.inject(signed('/webhooks/twilio/incoming', fields))
      expect(reply.body).toBe('<Response></Response>')
      const { customFields } = await db.member.findUniqueOrThrow({ where: { id: memberId } })
      expect(customFields).toMatchObject({ getmemomethodbysms: isOn })
    },
  )

  it('help in other words says who texts, how often, what it costs and how to end it', async ({
    delivery: { site, db },
  }) => {
    const { memberId, number } = await createSmsRecipient(site)
    await phones.reply(number, 'Ayuda')
    const reply = await phones.conversation(number)
    for (const words of ['Tidings', 'up to 18 editions a day', 'Message and data rates may apply', 'STOP']) {
      expect(reply).toContain(words)
    }
    const { customFields } = await db.member.findUniqueOrThrow({ where: { id: memberId } })
    expect(customFields).toMatchObject({ getmemomethodbysms: true })
  })

  it('a replayed STOP changes nothing', async ({ delivery: { site, db } }) => {
    const { memberId, number } = await createSmsRecipient(site)
    const stop = signed('/webhooks/twilio/incoming', { MessageSid: 'SM1', From: number, Body: 'STOP' })
    expect((await site.app.inject(stop)).body).toBe('<Response></Response>')
    const customFields = { getmemomethodbysms: true, phone: number }
    await db.member.update({ where: { id: memberId }, data: { customFields } })
    await site.app.inject(stop)
    expect(await db.member.findUniqueOrThrow({ where: { id: memberId } })).toMatchObject({ customFields })
  })

  it('a STOP that could not be stored is stored when Twilio repeats it', async ({
    delivery: { site, db },
  }) => {
    const { memberId, number } = await createSmsRecipient(site)
    const { smsEvents } = site.context
    const stop = { id: 'SM2', from: number, body: 'STOP', optOutType: 'STOP' }
    await db.$executeRaw`
      ALTER TABLE member ADD CONSTRAINT unchanged CHECK (custom_fields->>'getmemomethodbysms' = 'true') NOT VALID`
    await expect(smsEvents.receive(stop)).rejects.toThrow('unchanged')
    await db.$executeRaw`ALTER TABLE member DROP CONSTRAINT unchanged`
    await smsEvents.receive(stop)
    const { customFields } = await db.member.findUniqueOrThrow({ where: { id: memberId } })
    expect(customFields).toMatchObject({ getmemomethodbysms: false })
  })

  it.for([
    ['another token', { token: 'another' }],
    ['another address', { origin: 'http://api:3000' }],
  ] as const)('a request signed with %s is refused', async ([_what, options], { delivery: { site } }) => {
    for (const path of ['/webhooks/twilio/incoming', '/webhooks/twilio/status']) {
      const reply = await site.app.inject(signed(path, { From: '+12025550123', Body: 'STOP' }, options))
      expect([reply.statusCode, reply.json().error.code]).toEqual([403, 'invalid-signature'])
    }
  })

  it('a changed body and a missing signature are refused', async ({ delivery: { site } }) => {
    const request = signed('/webhooks/twilio/incoming', { From: '+12025550123', Body: 'STOP' })
    const changed = { ...request, payload: 'From=%2B12025550124&Body=STOP' }
    expect((await site.app.inject(changed)).statusCode).toBe(403)
    const { 'x-twilio-signature': _signature, ...headers } = request.headers
    expect((await site.app.inject({ ...request, headers })).statusCode).toBe(403)
  })
})

describe('a text whose reply was lost', () => {
  it.for([
    ['that Twilio has is found by its link', {}, { failAcceptedEvery: 1 }, /^delivered/, 1],
    [
      'that Twilio has is found by its PDF link',
      { methods: pdfBySms },
      { failAcceptedEvery: 1 },
      /^delivered/,
      1,
    ],
    [
      'that Twilio has is found by its link to A4 pages',
      { methods: pdfBySms, pdfFormat: 'a4' },
      { failAcceptedEvery: 1 },
      /^delivered/,
      1,
    ],
    [
      'that Twilio does not have stays unconfirmed',
      { methods: pdfBySms },
      { failEvery: 1 },
      /^unconfirmed 20500/,
      0,
    ],
  ] as const)('%s, and is not sent again', async ([_what, options, faults, state, texts], { delivery }) => {
    const { memberId, number } = await createSmsRecipient(delivery.site, options)
    const run = await delivery.publish(key)
    await phones.setFaults({ ...faults, callbacks: 'off' })
    await delivery.sendSms(run)
    expect(await delivery.stateOf(run, memberId)).toMatch(/^unconfirmed/)

    await delivery.sweep()
    await delivery.sendSms(run)

    expect(await delivery.stateOf(run, memberId)).toMatch(state)
    expect(await phones.textsTo(number)).toHaveLength(texts)
  })

  it('is not looked up any more after TWILIO_LOOKUP_SECONDS', async ({ delivery }) => {
    const { memberId } = await createSmsRecipient(delivery.site)
    const run = await delivery.publish(key)
    await phones.setFaults({ failAcceptedEvery: 1, callbacks: 'off' })
    await delivery.sendSms(run)
    delivery.site.clock.pass(601_000)
    await delivery.sweep()
    expect(await delivery.stateOf(run, memberId)).toMatch(/^unconfirmed/)
  })
})
