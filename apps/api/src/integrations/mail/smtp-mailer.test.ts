import { generateKeyPairSync } from 'node:crypto'
import { type Emulators, startEmulators } from '@tidings/emulators/emulators'
import { freePort } from '@tidings/launcher/free-port'
import PostalMime from 'postal-mime'
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import { createFixedClock } from '#test/factories/fixed-clock.ts'
import { startScriptedMailServer, startUntrustedMailServer } from '#test/mail/scripted-mail-server.ts'
import { startSmtpServer } from '#test/mail/smtp-server.ts'
import { verifyDkim } from '#test/mail/verify-dkim.ts'
import { type EmailMessage, type Mailer, MailRefusedError, MailUnavailableError } from './mailer.ts'
import { createSmtpMailer } from './smtp-mailer.ts'

const instant = new Date('2026-11-20T17:00:00.000Z')
const from = 'Tidings <hello@news.example.com>'
const inboxSchema = z.array(
  z.object({
    to: z.array(z.string()),
    from: z.string(),
    subject: z.string(),
    text: z.string(),
    html: z.string(),
    headers: z.record(z.string(), z.string()),
  }),
)

let emulators: Emulators
beforeAll(async () => {
  emulators = await startEmulators({ host: '127.0.0.1', port: 0, smtpPort: 0, now: () => instant })
})
afterAll(() => emulators.stop())

const closes: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closes.splice(0).reverse()) await close()
})

function openMailer(url = emulators.smtpUrl): Mailer {
  const mailer = createSmtpMailer({ url, from, clock: createFixedClock(instant), dkim: null })
  closes.push(() => mailer.close())
  return mailer
}

function emailTo(to: string, messageId: string, subject = 'A subject'): EmailMessage {
  return { to, subject, text: 'A text with 418206', html: '<p>A page with 418206</p>', messageId }
}

/** Returns the emails to an address, newest first. */
async function inboxOf(address: string) {
  const response = await fetch(`${emulators.inboxUrl}/messages?to=${encodeURIComponent(address)}`)
  return inboxSchema.parse(await response.json())
}

async function startServer(replies: Record<string, string>, port = 0) {
  const server = await startScriptedMailServer(replies, port)
  closes.push(() => server.stop())
  return server
}

async function errorOf(sent: Promise<void>): Promise<Error> {
  const outcome = await sent.then(
    () => null,
    (error: unknown) => error,
  )
  if (outcome instanceof Error) return outcome
  throw new Error('The email was sent')
}

describe('send', () => {
  it('delivers subject, text and HTML to the address', async () => {
    await openMailer().send(emailTo('parts@example.com', 'email-1'))
    const [email] = await inboxOf('parts@example.com')
    expect(email?.to).toEqual(['parts@example.com'])
    expect(email?.from).toBe('hello@news.example.com')
    expect(email?.subject).toBe('A subject')
    expect(email?.text).toContain('A text with 418206')
    expect(email?.html).toContain('<p>A page with 418206</p>')
  })

  it('adds the sender, the time and the message id to the headers', async () => {
    const headers = { 'Auto-Submitted': 'auto-generated' }
    await openMailer().send({ ...emailTo('headers@example.com', 'email-2'), headers })
    const [email] = await inboxOf('headers@example.com')
    expect(email?.headers).toMatchObject({
      from,
      'message-id': '<email-2@news.example.com>',
      date: 'Fri, 20 Nov 2026 17:00:00 +0000',
      'auto-submitted': 'auto-generated',
    })
    expect(email?.headers).not.toHaveProperty('x-mailer')
  })

  it('gives an email that is sent again the same message id', async () => {
    const mailer = openMailer()
    await mailer.send(emailTo('again@example.com', 'email-3'))
    await mailer.send(emailTo('again@example.com', 'email-3'))
    const ids = (await inboxOf('again@example.com')).map(({ headers }) => headers['message-id'])
    expect(ids).toEqual(['<email-3@news.example.com>', '<email-3@news.example.com>'])
  })

  it('delivers many emails at once, each to its own address', async () => {
    const mailer = openMailer()
    const addresses = Array.from({ length: 12 }, (_, index) => `many-${index}@example.com`)
    await Promise.all(addresses.map((to, index) => mailer.send(emailTo(to, `many-${index}`))))
    const emails = await Promise.all(addresses.map(inboxOf))
    expect(emails.map(([email]) => email?.headers['message-id'])).toEqual(
      addresses.map((_, index) => `<many-${index}@news.example.com>`),
    )
  })

  it('uses the user and password of the server URL', async () => {
    const url = emulators.smtpUrl.replace('//', '//user:p%40ss@')
    await openMailer(url).send(emailTo('login@example.com', 'email-4'))
    expect(await inboxOf('login@example.com')).toHaveLength(1)
  })

  it('keeps a subject with line breaks from adding headers', async () => {
    const subject = 'Tidings\r\nBcc: eve@example.com\r\n\r\nHello'
    await openMailer().send(emailTo('lines@example.com', 'email-5', subject))
    const [email] = await inboxOf('lines@example.com')
    expect(email?.subject).toMatch(/^Tidings Bcc: eve@example.com +Hello$/)
    expect(email?.headers).not.toHaveProperty('bcc')
    expect(await inboxOf('eve@example.com')).toEqual([])
  })

  it('rejects a message id with a line break', async () => {
    const sent = openMailer().send(emailTo('id@example.com', 'a>\r\nBcc: eve@example.com'))
    await expect(sent).rejects.toThrow('A message id consists of')
    expect(await inboxOf('id@example.com')).toEqual([])
  })

  it('fails once the mailer is closed', async () => {
    const mailer = openMailer()
    await mailer.send(emailTo('open@example.com', 'email-6'))
    mailer.close()
    const error = await errorOf(mailer.send(emailTo('closed@example.com', 'email-7')))
    expect(error).toBeInstanceOf(MailUnavailableError)
    expect(await inboxOf('closed@example.com')).toEqual([])
  })
})

describe('a malformed address', () => {
  test.each([
    '',
    'nobody',
    'a@b@example.com',
    'a@example.com, eve@example.com',
    'a@example.com\r\nBcc: eve@example.com',
    'Eve <eve@example.com>',
    'a b@example.com',
    'a@example.com\u0000',
  ])('%j is rejected without a connection to the server', async (to) => {
    // No server listens on port 1, so a connection would fail as unavailable.
    const error = await errorOf(openMailer('smtp://127.0.0.1:1').send(emailTo(to, 'email-8')))
    expect(error).toBeInstanceOf(MailRefusedError)
    expect(error).toMatchObject({ reason: 'the address is malformed' })
  })
})

describe('an email that the server does not accept', () => {
  const email = emailTo('secret@example.com', 'email-9')

  test.each([
    ['an unknown recipient', { 'RCPT TO': '550 5.1.1 <secret@example.com> unknown' }, '550 at RCPT TO'],
    ['refused contents', { 'end of data': '554 no' }, '554 at DATA'],
  ])('fails permanently: %s', async (_name, replies, reason) => {
    const { url } = await startServer(replies)
    const error = await errorOf(openMailer(url).send(email))
    expect(error).toBeInstanceOf(MailRefusedError)
    expect(error).toMatchObject({ reason })
  })

  test.each([
    ['a busy recipient', { 'RCPT TO': '451 4.7.1 secret@example.com later' }, '451 at RCPT TO'],
    ['an unknown sender', { 'MAIL FROM': '550 hello@news.example.com who?' }, '550 at MAIL FROM'],
    ['too many connections', { greeting: '421 too many' }, '421 at CONN'],
    ['a lost connection', { DATA: 'hang up' }, 'Connection closed unexpectedly'],
  ])('fails temporarily: %s', async (_name, replies, reason) => {
    const { url } = await startServer(replies)
    const error = await errorOf(openMailer(url).send(email))
    expect(error).toBeInstanceOf(MailUnavailableError)
    expect(error).toMatchObject({ reason })
  })

  it('does not include the address or the text in the error', async () => {
    const { url } = await startServer({ 'RCPT TO': '550 <secret@example.com> 418206' })
    const error = await errorOf(openMailer(url).send(email))
    const everything = `${JSON.stringify(error, Object.getOwnPropertyNames(error))} ${error.cause}`
    expect(everything).not.toMatch(/secret|418206/)
  })
})

describe('a failed connection', () => {
  it('reports a self-signed certificate by its name', async () => {
    const server = await startUntrustedMailServer()
    closes.push(() => server.stop())
    const error = await errorOf(openMailer(server.url).send(emailTo('tls@example.com', 'email-10')))
    expect(error).toBeInstanceOf(MailUnavailableError)
    expect(error).toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      reason: expect.stringContaining('self-signed certificate'),
    })
  })

  it('reports a refused connection by its name', async () => {
    const port = await freePort()
    const mailer = openMailer(`smtp://127.0.0.1:${port}`)
    const error = await errorOf(mailer.send(emailTo('down@example.com', 'email-11')))
    expect(error).toMatchObject({
      code: 'ECONNREFUSED',
      reason: `connect ECONNREFUSED 127.0.0.1:${port}`,
    })
  })

  it('does not affect later emails once the server is available again', async () => {
    const port = await freePort()
    const first = await startServer({}, port)
    const mailer = openMailer(first.url)
    await mailer.send(emailTo('first@example.com', 'email-12'))
    await first.stop()
    const error = await errorOf(mailer.send(emailTo('second@example.com', 'email-13')))
    expect(error).toBeInstanceOf(MailUnavailableError)
    await startServer({}, port)
    await expect(mailer.send(emailTo('third@example.com', 'email-14'))).resolves.toBeUndefined()
  })
})

it('signs every email with DKIM', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const server = await startSmtpServer()
  closes.push(() => server.stop())
  const dkim = { domain: 'news.example.com', selector: 's1', privateKey }
  const mailer = createSmtpMailer({ url: server.url, from, clock: createFixedClock(instant), dkim })
  closes.push(() => mailer.close())
  await mailer.send(emailTo('ann@example.com', 'code-1', 'Your code'))
  const [source = ''] = server.sources
  expect(source).toMatch(/^DKIM-Signature: v=1; a=rsa-sha256; c=relaxed\/relaxed; d=news\.example\.com/)
  expect(verifyDkim(source, publicKey)).toBe(true)
  expect(verifyDkim(source.replace('418206', '418207'), publicKey)).toBe(false)
  expect(verifyDkim(source.replace('ann@', 'eve@'), publicKey)).toBe(false)
})

describe('the sender', () => {
  test.each([
    ['Tidings, Inc. <hello@news.example.com>', 'Tidings, Inc.'],
    ['"Tidings, Inc." <hello@news.example.com>', 'Tidings, Inc.'],
    ['The "Daily" <News> <hello@news.example.com>', 'The "Daily" <News>'],
    ['Zürcher Bote; Verlag <hello@news.example.com>', 'Zürcher Bote; Verlag'],
    ['أخبار اليوم <hello@news.example.com>', 'أخبار اليوم'],
    ['News 🗞️ <hello@news.example.com>', 'News 🗞️'],
    [`${'Lange Namen. '.repeat(12)}<hello@news.example.com>`, 'Lange Namen. '.repeat(12).trim()],
    [`${'日々の便り'.repeat(30)} <hello@news.example.com>`, '日々の便り'.repeat(30)],
    ['hello@news.example.com', ''],
  ])('of %j has the name %j and one address', async (sender, name) => {
    const server = await startSmtpServer()
    closes.push(() => server.stop())
    const mailer = createSmtpMailer({
      url: server.url,
      from: sender,
      clock: createFixedClock(instant),
      dkim: null,
    })
    closes.push(() => mailer.close())
    await mailer.send(emailTo('ann@example.com', 'email-15', `${name}: "News", today`))
    const [source = ''] = server.sources
    const { from, subject } = await PostalMime.parse(source)
    expect(from).toEqual({ name, address: 'hello@news.example.com' })
    expect(subject).toBe(`${name}: "News", today`)
    const head = source.slice(0, source.indexOf('\r\n\r\n'))
    expect(head).toMatch(/^\p{ASCII}*$/u)
    expect(Math.max(...head.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  })
})

describe('createSmtpMailer', () => {
  test.each(['', 'Tidings', 'hello@', 'hello@ news'])('rejects %j as a sender', (sender) => {
    const clock = createFixedClock(instant)
    const create = () => createSmtpMailer({ url: 'smtp://127.0.0.1', from: sender, clock, dkim: null })
    expect(create).toThrow(/must be an address/)
  })
})
