import fastify, { type FastifyInstance } from 'fastify'
import twilio from 'twilio'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Emulators, startEmulators } from '../emulators.ts'
import { builtInAccount } from './accounts.ts'

const ann = '+15005551001'
const bob = '+15005551002'
const otherAccount = { sid: `AC${'b'.repeat(32)}`, authToken: 'other', number: '+15005550007' }

type Callback = { path: string; fields: Record<string, string>; isSigned: boolean }

let emulators: Emulators
let site: FastifyInstance
let siteUrl: string
let callbacks: Callback[]
let twiml: string

beforeEach(async () => {
  callbacks = []
  twiml = '<Response/>'
  site = fastify()
  site.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  site.post('/*', (request, reply) => {
    const fields = Object.fromEntries(new URLSearchParams(String(request.body)))
    const signature = String(request.headers['x-twilio-signature'])
    const url = `https://news.example.com${request.url}`
    const isSigned = twilio.validateRequest(builtInAccount.authToken, signature, url, fields)
    callbacks.push({ path: request.url, fields, isSigned })
    return reply.type('text/xml').send(twiml)
  })
  siteUrl = await site.listen({ host: '127.0.0.1', port: 0 })
  emulators = await startEmulators({
    host: '127.0.0.1',
    port: 0,
    smtpPort: 0,
    now: () => new Date('2026-11-20T18:00:00Z'),
    twilio: {
      accounts: [otherAccount],
      incomingUrl: 'https://news.example.com/incoming',
      callbackOrigin: siteUrl,
    },
  })
})

afterEach(async () => {
  await emulators.stop()
  await site.close()
})

function sdk({ sid, authToken } = builtInAccount, authorization = authToken) {
  const client = twilio(sid, authorization)
  client.api.baseUrl = emulators.twilioUrl
  return client.messages
}

function send(fields: { to?: string; body?: string; statusCallback?: string } = {}) {
  return sdk().create({ to: ann, from: builtInAccount.number, body: 'Your 10AM edition', ...fields })
}

async function setFaults(faults: object) {
  const reply = await fetch(`${emulators.twilioUrl}/twilio/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(faults),
  })
  return reply.status
}

async function reply(number: string, body: string) {
  await fetch(`${emulators.inboxUrl}/phone/${encodeURIComponent(number)}`, {
    method: 'POST',
    body: new URLSearchParams({ body }),
    redirect: 'manual',
  })
}

async function phone(number: string) {
  return await (await fetch(`${emulators.inboxUrl}/phone/${encodeURIComponent(number)}`)).text()
}

describe('messages.create', () => {
  test('an SMS is accepted and appears in the inbox', async () => {
    const sms = await send()
    expect(sms).toMatchObject({ to: ann, from: builtInAccount.number, status: 'queued' })
    expect(sms.sid).toMatch(/^SM[\da-f]{32}$/)
    const [message] = JSON.parse(
      await (await fetch(`${emulators.inboxUrl}/messages?to=${encodeURIComponent(ann)}`)).text(),
    )
    expect(message).toMatchObject({ kind: 'sms', to: [ann], text: 'Your 10AM edition', attachments: [] })
  })

  test('a messaging service sends from the number of the account', async () => {
    const sms = await sdk().create({ to: ann, messagingServiceSid: `MG${'1'.repeat(32)}`, body: 'Hi' })
    expect(sms).toMatchObject({
      from: builtInAccount.number,
      messagingServiceSid: `MG${'1'.repeat(32)}`,
    })
  })

  test('a wrong token is refused', async () => {
    const wrong = sdk(builtInAccount, 'wrong').create({ to: ann, from: bob, body: 'Hi' })
    await expect(wrong).rejects.toMatchObject({ status: 401, code: 20003 })
  })

  test.each([
    ['a malformed number', { to: '555' }, 21211],
    ['an empty SMS', { body: '' }, 21602],
    ['an SMS over 1,600 characters', { body: 'x'.repeat(1_601) }, 21617],
  ])('%s is refused', async (_what, fields, code) => {
    await expect(send(fields)).rejects.toMatchObject({ status: 400, code })
  })
})

describe('messages.list and fetch', () => {
  test('SMS are found by recipient, sender and date, page by page', async () => {
    for (const body of ['one', 'two', 'three']) await send({ body })
    await send({ to: bob, body: 'for Bob' })
    const filter = { to: ann, from: builtInAccount.number }
    const all = await sdk().list({ ...filter, dateSentAfter: new Date('2026-11-20T17:59:00Z'), pageSize: 2 })
    expect(all.map(({ body }) => body)).toEqual(['three', 'two', 'one'])
    expect(await sdk().list({ ...filter, dateSentAfter: new Date('2026-11-21T00:00:00Z') })).toEqual([])
  })

  test('accounts are separate', async () => {
    const { sid } = await send()
    expect(await sdk(otherAccount).list({ to: ann })).toEqual([])
    await expect(sdk(otherAccount)(sid).fetch()).rejects.toMatchObject({ status: 404, code: 20404 })
    expect(await sdk()(sid).fetch()).toMatchObject({ status: 'delivered' })
  })
})

describe('status callbacks', () => {
  const statusCallback = 'https://news.example.com/status'
  const statuses = () => callbacks.map(({ fields }) => fields.MessageStatus)

  test.each([
    ['in-order', ['sent', 'delivered']],
    ['repeated', ['sent', 'delivered', 'sent', 'delivered']],
    ['reversed', ['delivered', 'sent']],
  ])('%s: arrive signed for the address that the site gave', async (order, expected) => {
    await setFaults({ callbacks: order })
    const { sid } = await send({ statusCallback })
    await expect.poll(statuses).toEqual(expected)
    expect(callbacks.every(({ path, isSigned }) => path === '/status' && isSigned)).toBe(true)
    expect(callbacks[0]?.fields).toMatchObject({ MessageSid: sid, To: ann })
  })

  test('an unreachable number is reported with its error', async () => {
    await setFaults({ unreachable: [ann] })
    await send({ statusCallback })
    await expect.poll(statuses).toEqual(['sent', 'undelivered'])
    expect(callbacks[1]?.fields.ErrorCode).toBe('30005')
  })
})

describe('a reply from a phone', () => {
  test('reaches the site signed, and the TwiML of the site reaches the phone', async () => {
    twiml = '<Response><Message>You&apos;re welcome &amp; &lt;safe&gt;</Message></Response>'
    await reply(ann, 'Thank you')
    expect(callbacks).toMatchObject([
      {
        path: '/incoming',
        isSigned: true,
        fields: { From: ann, To: builtInAccount.number, Body: 'Thank you' },
      },
    ])
    expect(await phone(ann)).toContain('You&#39;re welcome &amp; &lt;safe&gt;')
  })

  test('STOP ends the SMS until START', async () => {
    twiml = '<Response><Message>Second reply</Message></Response>'
    await reply(ann, ' Stop ')
    await expect(send()).rejects.toMatchObject({ status: 400, code: 21610 })
    expect(await phone(ann)).toContain('You have successfully been unsubscribed.')
    expect(await phone(ann)).not.toContain('Second reply')
    await send({ to: bob })
    await reply(ann, 'START')
    await send()
    expect(await phone(ann)).toContain('Your 10AM edition')
  })

  test('the inbox leads to the phone, which escapes the SMS', async () => {
    await send({ body: '<b>Bold</b> https://news.example.com/l/a' })
    const list = await (await fetch(emulators.inboxUrl)).text()
    expect(list).toContain(`href="/inbox/phone/${encodeURIComponent(ann)}"`)
    const page = await phone(ann)
    expect(page).toContain('&lt;b&gt;Bold&lt;/b&gt; <a href="https://news.example.com/l/a"')
  })
})

describe('the faults of Twilio', () => {
  test.each([
    ['rateLimitEvery', { status: 429, code: 20429 }, 0],
    ['failEvery', { status: 500, code: 20500 }, 0],
    ['failAcceptedEvery', { status: 500, code: 20500 }, 1],
  ])('%s', async (fault, error, accepted) => {
    await setFaults({ [fault]: 1 })
    await expect(send()).rejects.toMatchObject(error)
    expect(await sdk().list({ to: ann })).toHaveLength(accepted)
  })

  test.each([
    ['invalid', 21211],
    ['landline', 21614],
  ])('%s numbers are refused', async (fault, code) => {
    await setFaults({ [fault]: [ann] })
    await expect(send()).rejects.toMatchObject({ status: 400, code })
    await send({ to: bob })
  })

  test('a slow reply comes after the SMS was accepted', async () => {
    await setFaults({ slowMs: 1 })
    expect((await send()).status).toBe('queued')
    expect(await setFaults({ slowMs: 'very' })).toBe(400)
  })
})
