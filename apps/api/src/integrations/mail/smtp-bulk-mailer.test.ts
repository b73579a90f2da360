import { generateKeyPairSync } from 'node:crypto'
import { type Emulators, startEmulators } from '@tidings/emulators/emulators'
import { freePort } from '@tidings/launcher/free-port'
import PostalMime from 'postal-mime'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { z } from 'zod'
import { createFixedClock } from '#test/factories/fixed-clock.ts'
import { startScriptedMailServer } from '#test/mail/scripted-mail-server.ts'
import { verifyDkim } from '#test/mail/verify-dkim.ts'
import type { BulkMailer, BulkMessage } from './bulk-mailer.ts'
import { createSmtpBulkMailer } from './smtp-bulk-mailer.ts'

const instant = new Date('2026-11-20T17:00:00.000Z')
const received = z.array(z.object({ envelopeFrom: z.string(), headers: z.record(z.string(), z.string()) }))

let emulators: Emulators
beforeAll(async () => {
  emulators = await startEmulators({ host: '127.0.0.1', port: 0, smtpPort: 0, now: () => instant })
})
afterAll(() => emulators.stop())
beforeEach(() => call('messages', { method: 'DELETE' }))

const closes: (() => unknown)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const close of closes.splice(0).reverse()) await close()
})

async function call(path: string, init: RequestInit = {}): Promise<Response> {
  return await fetch(`${emulators.inboxUrl}/${path}`, init)
}

async function setFaults(faults: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  await call('faults', { method: 'PUT', headers, body: JSON.stringify(faults) })
  closes.push(() => call('faults', { method: 'PUT', headers, body: '{}' }))
}

async function inbox() {
  return received.parse(await (await call('messages')).json())
}

/** Returns the newest message as it arrived. */
async function sourceOfNewest(): Promise<string> {
  const [newest] = z.array(z.object({ id: z.string() })).parse(await (await call('messages')).json())
  return await (await call(`view/${newest?.id}/source`)).text()
}

type Options = Parameters<typeof createSmtpBulkMailer>[0]

function openMailer(options: Partial<Options> = {}): BulkMailer {
  const mailer = createSmtpBulkMailer({
    url: emulators.smtpUrl,
    from: 'Tidings <hello@news.example.com>',
    clock: createFixedClock(instant),
    connections: 2,
    perSecond: 0,
    dkim: null,
    ...options,
  })
  closes.push(() => mailer.close())
  return mailer
}

const message: BulkMessage = {
  to: 'ann@example.com',
  envelopeFrom: 'b.1@bounces.example.com',
  messageId: 'delivery-1',
  subject: 'Friday, November 20, 10AM',
  html: { parts: ['<p>News</p>'], values: [] },
  text: { parts: ['News'], values: [] },
  headers: {
    'List-Id': '<memo.news.example.com>',
    'List-Unsubscribe': `<https://news.example.com/l/unsubscribe/${'t'.repeat(150)}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  },
}

describe('send', () => {
  it('attaches a file to each of its messages', async () => {
    const bytes = Buffer.from('%PDF '.repeat(100))
    const attachment = { name: '11-20-26-10AM.pdf', type: 'application/pdf', bytes }
    const mailer = openMailer()
    for (const to of ['ann@example.com', 'ben@example.com']) {
      expect(await mailer.send({ ...message, to, attachment })).toEqual({ outcome: 'accepted' })
      const email = await PostalMime.parse(await sourceOfNewest())
      expect(email).toMatchObject({ text: 'News\n', html: '<p>News</p>\n' })
      const [file, ...others] = email.attachments
      expect(file).toMatchObject({ filename: attachment.name, mimeType: attachment.type })
      expect([file?.content, others]).toEqual([
        bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
        [],
      ])
    }
  })

  it('refuses a file name that could end its header', async () => {
    const attachment = {
      name: 'a"\r\nBcc: eve@example.com',
      type: 'application/pdf',
      bytes: Buffer.from('x'),
    }
    expect(await openMailer().send({ ...message, attachment })).toMatchObject({ code: 'invalid-message' })
    expect(await inbox()).toEqual([])
  })

  it('delivers with its own return address, Message-ID and list headers', async () => {
    expect(await openMailer().send(message)).toEqual({ outcome: 'accepted' })
    const [email] = await inbox()
    expect(email?.envelopeFrom).toBe('b.1@bounces.example.com')
    expect(email?.headers).toMatchObject({
      'message-id': '<delivery-1@news.example.com>',
      'list-unsubscribe': message.headers['List-Unsubscribe'],
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    })
  })

  it('fills the values of each member into the same text, in lines that every server accepts', async () => {
    const link = `https://news.example.com/l/view/${'é='.repeat(100)}`
    const html = { parts: ['<p>Ships – and “boats” \n', '\n.\n', ' the end</p>'], values: [link, 'short'] }
    const text = { parts: ['Ships \n', ''], values: [link] }
    const mailer = openMailer()
    await mailer.send({ ...message, html, text })
    await mailer.send({ ...message, html: { ...html, values: ['a', 'b'] }, text, messageId: 'delivery-2' })
    const bodies = z.array(z.object({ html: z.string(), text: z.string() }))
    const [second, first] = bodies.parse(await (await call('messages')).json())
    expect(first?.html).toContain(`<p>Ships – and “boats” \n${link}\n.\nshort the end</p>`)
    expect(first?.text).toContain(`Ships \n${link}`)
    expect(second?.html).toContain('<p>Ships – and “boats” \na\n.\nb the end</p>')
    const body = (await sourceOfNewest()).replaceAll('\r', '').split('\n\n').slice(1)
    expect(body.flatMap((part) => part.split('\n')).filter((line) => line.length > 76)).toEqual([])
  })

  it('signs the headers of one-click unsubscribing with DKIM', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    const dkim = { domain: 'news.example.com', selector: 's1', privateKey }
    expect(await openMailer({ dkim }).send(message)).toEqual({ outcome: 'accepted' })
    const signature = (await inbox())[0]?.headers['dkim-signature']?.replaceAll(/\s/g, '')
    expect(signature).toMatch(/d=news\.example\.com;.*s=s1;/)
    expect(signature?.toLowerCase()).toMatch(/h=[^;]*:list-unsubscribe:list-unsubscribe-post/)
    const source = await sourceOfNewest()
    expect(verifyDkim(source, publicKey)).toBe(true)
    expect(verifyDkim(source.replace('<p>News</p>', '<p>Lies</p>'), publicKey)).toBe(false)
    expect(verifyDkim(source.replace('memo.news.example.com', 'memo.evil.example.com'), publicKey)).toBe(
      false,
    )
  })

  it('sends as many messages each second as the limit allows, and none twice', async () => {
    // One without timers of its own.
    const { url, stop } = await startScriptedMailServer({})
    closes.push(stop)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    const others = openMailer({ url })
    const sendOther = () => others.send({ ...message, messageId: 'other' })
    const mailer = openMailer({ url, perSecond: 3 })
    let done = 0
    const sent = Array.from({ length: 8 }, async (_, index) => {
      const result = await mailer.send({ ...message, messageId: `many-${index}` })
      done += 1
      return result
    })
    for (const count of [3, 6, 8]) {
      while (done < count) await sendOther()
      // One that the limit let through too early would be done before these.
      for (let each = 0; each < 5; each += 1) await sendOther()
      expect(done).toBe(count)
      await vi.advanceTimersByTimeAsync(1_000)
    }
    expect((await Promise.all(sent)).every(({ outcome }) => outcome === 'accepted')).toBe(true)
  })

  it.each<[string, Partial<BulkMessage>]>([
    ['the recipient', { to: 'ann@example.com\r\nBcc: eve@example.com' }],
    ['the recipient, as a list', { to: 'ann@example.com, eve@example.com' }],
    ['the return address', { envelopeFrom: 'b@example.com>\r\nRCPT TO:<eve@example.com' }],
    ['the subject', { subject: 'News\r\nBcc: eve@example.com' }],
    ['the message id', { messageId: 'a>\r\nBcc: eve@example.com' }],
    ['a header', { headers: { 'List-Id': '<a>\r\nBcc: eve@example.com' } }],
    ["a header's name", { headers: { 'X\r\nBcc': 'eve@example.com' } }],
  ])('refuses a line break in %s', async (_name, change) => {
    const result = await openMailer().send({ ...message, ...change })
    expect(result).toMatchObject({ outcome: 'permanent', code: expect.stringMatching(/^invalid-/) })
    expect(await inbox()).toEqual([])
  })
})

describe('a message that the server does not accept', () => {
  test.each([
    ['an unknown recipient', { 'RCPT TO': '550 5.1.1 <ann@example.com> unknown' }, 'permanent', '550'],
    ['refused contents', { 'end of data': '554 no' }, 'permanent', '554'],
    ['a busy recipient', { 'RCPT TO': '450 4.2.1 later' }, 'temporary', '450'],
    ['a throttled sender', { 'MAIL FROM': '454 4.7.0 slow down' }, 'temporary', '454'],
    ['contents to send later', { 'end of data': '451 later' }, 'temporary', '451'],
    ['a refused sender', { 'MAIL FROM': '550 who?' }, 'unavailable', '550'],
    ['a closing server', { 'RCPT TO': '421 bye' }, 'unavailable', '421'],
    ['too many connections', { greeting: '421 too many' }, 'unavailable', '421'],
    ['a connection lost before the message', { DATA: 'hang up' }, 'unavailable', 'ECONNECTION'],
    ['a connection lost before the reply', { 'end of data': 'hang up' }, 'unknown', 'ECONNECTION'],
  ])('%s', async (_name, replies, outcome, code) => {
    const server = await startScriptedMailServer(replies)
    closes.push(() => server.stop())
    const result = await openMailer({ url: server.url }).send(message)
    expect(result).toMatchObject({ outcome, code })
    expect(JSON.stringify(result)).not.toContain('ann@')
  })

  test.each([
    [{ 'RCPT TO': '550 5.1.1 unknown' }, 'permanent', 'rcpt'],
    [{ 'RCPT TO': '450 4.2.2 full' }, 'temporary', 'rcpt'],
    [{ 'RCPT TO': '421 4.7.0 too many messages' }, 'unavailable', 'rcpt'],
    [{ DATA: '554 no' }, 'permanent', 'data'],
    [{ 'end of data': '550 5.7.1 spam' }, 'permanent', 'data'],
    [{ 'end of data': '451 later' }, 'temporary', 'data'],
    [{ 'MAIL FROM': '550 who?' }, 'unavailable', undefined],
    [{ greeting: '554 go away' }, 'unavailable', undefined],
  ])('%o tells the command that was refused', async (replies, outcome, phase) => {
    const server = await startScriptedMailServer(replies)
    closes.push(() => server.stop())
    const result = await openMailer({ url: server.url }).send(message)
    expect(result).toMatchObject({ outcome })
    expect('phase' in result ? result.phase : undefined).toBe(phase)
  })

  test('keeps the whole of a long reply, within limits, beside the part that is stored', async () => {
    const said = `550 5.1.1 ${'Rejected. '.repeat(60)}Blocked`
    const server = await startScriptedMailServer({ 'RCPT TO': said })
    closes.push(() => server.stop())
    const mailer = openMailer({ url: server.url })
    const expected = { response: said.slice(0, 200), fullResponse: said }
    expect(await mailer.send(message)).toMatchObject(expected)
    const endless = await startScriptedMailServer({ 'RCPT TO': `550 ${'No. '.repeat(3_000)}` })
    closes.push(() => endless.stop())
    const result = await openMailer({ url: endless.url }).send(message)
    expect('fullResponse' in result && result.fullResponse).toHaveLength(2_000)
  })

  test('no server listens, or none is configured', async () => {
    const url = `smtp://127.0.0.1:${await freePort()}`
    expect(await openMailer({ url }).send(message)).toMatchObject({
      outcome: 'unavailable',
      code: 'ECONNREFUSED',
    })
    expect(await openMailer({ url: null }).send(message)).toMatchObject({ code: 'ENOTCONFIGURED' })
  })

  test('one that was accepted without a reply is not sent again', async () => {
    await setFaults({ cutAfter: 1, keepsCut: true })
    const mailer = openMailer({ connections: 1 })
    expect(await mailer.send(message)).toEqual({ outcome: 'accepted' })
    expect(await mailer.send({ ...message, messageId: 'delivery-2' })).toMatchObject({ outcome: 'unknown' })
    expect(await mailer.send({ ...message, messageId: 'delivery-3' })).toEqual({ outcome: 'accepted' })
    expect(await inbox()).toHaveLength(3)
  })
})
