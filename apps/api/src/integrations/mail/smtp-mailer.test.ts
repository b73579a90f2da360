import { type Emulators, startEmulators } from '@tidings/emulators/emulators'
import { freePort } from '@tidings/launcher/free-port'
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import { createFixedClock } from '#platform/clock.ts'
import { startScriptedMailServer } from '#test/scripted-mail-server.ts'
import { type Mail, type Mailer, MailRefusedError, MailUnavailableError } from './mailer.ts'
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
  const mailer = createSmtpMailer({ url, from, clock: createFixedClock(instant) })
  closes.push(() => mailer.close())
  return mailer
}

function signupCode(to: string, appName = 'Tidings'): Mail {
  return { kind: 'signup-code', to, appName, code: '418206', minutes: 10 }
}

/** What lies in the inbox for an address, newest first. */
async function inboxOf(address: string) {
  const response = await fetch(`${emulators.inboxUrl}/messages?to=${encodeURIComponent(address)}`)
  return inboxSchema.parse(await response.json())
}

async function startServerThatSays(answers: Record<string, string>, port = 0) {
  const server = await startScriptedMailServer(answers, port)
  closes.push(() => server.stop())
  return server
}

async function failureOf(sending: Promise<void>): Promise<Error> {
  const outcome = await sending.then(
    () => null,
    (error: unknown) => error,
  )
  if (outcome instanceof Error) return outcome
  throw new Error('The mail was taken')
}

describe('send', () => {
  it('delivers both parts to the address', async () => {
    await openMailer().send(signupCode('parts@example.com'), { messageId: 'mail-1' })
    const [mail] = await inboxOf('parts@example.com')
    expect(mail?.to).toEqual(['parts@example.com'])
    expect(mail?.from).toBe('hello@news.example.com')
    expect(mail?.subject).toBe('418206 is your Tidings sign-up code')
    expect(mail?.text).toContain('418206')
    expect(mail?.html).toContain('>418206</p>')
  })

  it('marks the mail with its id, the time, and as nothing to answer', async () => {
    await openMailer().send(signupCode('headers@example.com'), { messageId: 'mail-2' })
    const [mail] = await inboxOf('headers@example.com')
    expect(mail?.headers).toMatchObject({
      from,
      'message-id': '<mail-2@news.example.com>',
      date: 'Fri, 20 Nov 2026 17:00:00 +0000',
      'auto-submitted': 'auto-generated',
      'x-auto-response-suppress': 'All',
    })
    expect(mail?.headers).not.toHaveProperty('x-mailer')
  })

  it('gives a mail that is sent again the same id', async () => {
    const mailer = openMailer()
    await mailer.send(signupCode('again@example.com'), { messageId: 'mail-3' })
    await mailer.send(signupCode('again@example.com'), { messageId: 'mail-3' })
    const ids = (await inboxOf('again@example.com')).map(({ headers }) => headers['message-id'])
    expect(ids).toEqual(['<mail-3@news.example.com>', '<mail-3@news.example.com>'])
  })

  it('delivers many at once, each to its own address', async () => {
    const mailer = openMailer()
    const addresses = Array.from({ length: 12 }, (_, index) => `many-${index}@example.com`)
    await Promise.all(
      addresses.map((to, index) => mailer.send(signupCode(to), { messageId: `many-${index}` })),
    )
    const mails = await Promise.all(addresses.map(inboxOf))
    expect(mails.map(([mail]) => mail?.headers['message-id'])).toEqual(
      addresses.map((_, index) => `<many-${index}@news.example.com>`),
    )
  })

  it('takes user and password from the address of the server', async () => {
    const url = emulators.smtpUrl.replace('//', '//user:p%40ss@')
    await openMailer(url).send(signupCode('login@example.com'), { messageId: 'mail-4' })
    expect(await inboxOf('login@example.com')).toHaveLength(1)
  })

  it('keeps names with line breaks out of the headers', async () => {
    const mail = signupCode('lines@example.com', 'Tidings\r\nBcc: eve@example.com\r\n\r\nHello')
    await openMailer().send(mail, { messageId: 'mail-5' })
    const [received] = await inboxOf('lines@example.com')
    expect(received?.subject).toBe('418206 is your Tidings Bcc: eve@example.com Hello sign-up code')
    expect(received?.headers).not.toHaveProperty('bcc')
    expect(await inboxOf('eve@example.com')).toEqual([])
  })

  it('takes no message id that could end a header', async () => {
    const sending = openMailer().send(signupCode('id@example.com'), {
      messageId: 'a>\r\nBcc: eve@example.com',
    })
    await expect(sending).rejects.toThrow('A message id has')
    expect(await inboxOf('id@example.com')).toEqual([])
  })
})

describe('an address that is none', () => {
  test.each([
    '',
    'nobody',
    'a@b@example.com',
    'a@example.com, eve@example.com',
    'a@example.com\r\nBcc: eve@example.com',
    'Eve <eve@example.com>',
    'a b@example.com',
    'a@example.com\u0000',
  ])('%j is refused without asking the server', async (to) => {
    // Nothing listens there, so asking it would fail as unavailable.
    const failure = await failureOf(
      openMailer('smtp://127.0.0.1:1').send(signupCode(to), { messageId: 'mail-6' }),
    )
    expect(failure).toBeInstanceOf(MailRefusedError)
    expect(failure.message).toBe('The mail was refused: the address is malformed')
  })
})

describe('a server that does not take the mail', () => {
  test.each([
    ['an unknown recipient', { 'RCPT TO': '550 5.1.1 <secret@example.com> unknown' }, '550 at RCPT TO'],
    ['a mail it finds out too late about', { 'end of data': '554 no' }, '554 at DATA'],
  ])('for good, %s: refused', async (_name, answers, reason) => {
    const { url } = await startServerThatSays(answers)
    const failure = await failureOf(
      openMailer(url).send(signupCode('secret@example.com'), { messageId: 'mail-7' }),
    )
    expect(failure).toBeInstanceOf(MailRefusedError)
    expect(failure.message).toBe(`The mail was refused: ${reason}`)
  })

  test.each([
    ['a recipient that is busy', { 'RCPT TO': '451 4.7.1 secret@example.com later' }, '451 at RCPT TO'],
    ['a sender it does not know', { 'MAIL FROM': '550 hello@news.example.com who?' }, '550 at MAIL FROM'],
    ['a greeting that turns away', { greeting: '421 too many' }, '421 at CONN'],
    ['a line that breaks', { DATA: 'hang up' }, 'ECONNECTION'],
  ])('for now, %s: unavailable', async (_name, answers, reason) => {
    const { url } = await startServerThatSays(answers)
    const failure = await failureOf(
      openMailer(url).send(signupCode('secret@example.com'), { messageId: 'mail-8' }),
    )
    expect(failure).toBeInstanceOf(MailUnavailableError)
    expect(failure.message).toBe(`The mail could not be sent: ${reason}`)
  })

  it('says nothing of the mail in its failure', async () => {
    const { url } = await startServerThatSays({ 'RCPT TO': '550 <secret@example.com> 418206' })
    const failure = await failureOf(
      openMailer(url).send(signupCode('secret@example.com'), { messageId: 'mail-9' }),
    )
    const everything = `${JSON.stringify(failure, Object.getOwnPropertyNames(failure))} ${failure.cause}`
    expect(everything).not.toMatch(/secret|418206/)
  })

  it('takes later mails when it is there again', async () => {
    const port = await freePort()
    const gone = await startServerThatSays({}, port)
    const mailer = openMailer(gone.url)
    await mailer.send(signupCode('first@example.com'), { messageId: 'mail-10' })
    await gone.stop()
    const failure = await failureOf(mailer.send(signupCode('second@example.com'), { messageId: 'mail-11' }))
    expect(failure).toBeInstanceOf(MailUnavailableError)
    await startServerThatSays({}, port)
    const later = mailer.send(signupCode('third@example.com'), { messageId: 'mail-12' })
    await expect(later).resolves.toBeUndefined()
  })
})

describe('createSmtpMailer', () => {
  test.each(['', 'Tidings', 'hello@', 'hello@ news'])('refuses %j as a sender', (sender) => {
    const clock = createFixedClock(instant)
    const create = () => createSmtpMailer({ url: 'smtp://127.0.0.1', from: sender, clock })
    expect(create).toThrow(/must be an address/)
  })

  it('sends nothing once it is closed', async () => {
    const mailer = openMailer()
    await mailer.send(signupCode('open@example.com'), { messageId: 'mail-13' })
    mailer.close()
    const failure = await failureOf(mailer.send(signupCode('closed@example.com'), { messageId: 'mail-14' }))
    expect(failure).toBeInstanceOf(MailUnavailableError)
    expect(await inboxOf('closed@example.com')).toEqual([])
  })
})
