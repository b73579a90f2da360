import { createTransport, type SendMailOptions } from 'nodemailer'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Emulators, startEmulators } from './emulators.ts'

const now = () => new Date('2026-11-20T18:00:00Z')
let emulators: Emulators

beforeEach(async () => {
  emulators = await startEmulators({ host: '127.0.0.1', port: 0, smtpPort: 0, now })
})

afterEach(() => emulators.stop())

const mail: SendMailOptions = {
  from: '"Tidings" <desk@example.com>',
  to: 'ann@example.com',
  subject: 'Your 10AM edition – “quiet”',
  text: 'Good morning, Zoë.',
  html: '<p>Good morning, <b>Zoë</b>.</p>',
}

async function send(options: SendMailOptions, url = emulators.smtpUrl) {
  const transport = createTransport(url)
  try {
    return await transport.sendMail({ ...mail, ...options })
  } finally {
    transport.close()
  }
}

async function messages(query = '') {
  const reply = await fetch(`${emulators.inboxUrl}/messages${query}`)
  expect(reply.status).toBe(200)
  return JSON.parse(await reply.text())
}

describe('an email by SMTP', () => {
  test('arrives with all its parts', async () => {
    await send({ headers: { 'List-Unsubscribe': '<https://example.com/u>' } })
    const [message] = await messages()
    expect(message).toMatchObject({
      kind: 'email',
      to: ['ann@example.com'],
      from: 'desk@example.com',
      subject: 'Your 10AM edition – “quiet”',
      html: '<p>Good morning, <b>Zoë</b>.</p>\n',
      attachments: [],
    })
    expect(message.text.trim()).toBe('Good morning, Zoë.')
    expect(message.headers['list-unsubscribe']).toBe('<https://example.com/u>')
    expect(message.receivedAt).toBe('2026-11-20T18:00:00.000Z')
  })

  test('an attachment arrives byte by byte', async () => {
    const content = Buffer.from([0, 1, 2, 250, 251, 252, 13, 10, 0])
    await send({ attachments: [{ filename: 'edition.pdf', contentType: 'application/pdf', content }] })
    const [message] = await messages()
    expect(message.attachments).toEqual([
      {
        filename: 'edition.pdf',
        contentType: 'application/pdf',
        size: 9,
        content: content.toString('base64'),
      },
    ])
  })

  test('lists blind copies as recipients', async () => {
    await send({ bcc: 'bob@example.com' })
    const [message] = await messages()
    expect(message.to).toEqual(['ann@example.com', 'bob@example.com'])
    expect(message.headers.bcc).toBeUndefined()
  })

  test('accepts any login', async () => {
    await send({}, emulators.smtpUrl.replace('smtp://', 'smtp://any:thing@'))
    expect(await messages()).toHaveLength(1)
  })

  test('rejects a message over the size limit', async () => {
    await expect(send({ attachments: [{ content: Buffer.alloc(20_000_000) }] })).rejects.toMatchObject({
      responseCode: 552,
    })
    expect(await messages()).toEqual([])
  })
})

describe('the faults of the mail server', () => {
  async function setFaults(faults: object) {
    const reply = await fetch(`${emulators.inboxUrl}/faults`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(faults),
    })
    return reply.status
  }

  test('recipients are refused or throttled until the fault is removed', async () => {
    await setFaults({ refuse: ['Ann@example.com'] })
    await expect(send({})).rejects.toMatchObject({ responseCode: 550 })
    await setFaults({ block: ['blocked.example'], full: ['full@example.com'] })
    await expect(send({ to: 'ann@blocked.example' })).rejects.toThrow('550 5.7.1')
    await expect(send({ to: 'full@example.com' })).rejects.toThrow('552 5.2.2')
    await setFaults({ throttleEvery: 1 })
    await expect(send({})).rejects.toMatchObject({ responseCode: 454 })
    await setFaults({ slowMs: 1 })
    await send({})
    expect(await messages()).toHaveLength(1)
    expect(await setFaults({ refuseEvery: 'often' })).toBe(400)
  })

  test('a connection is cut off without a reply, and the message kept only if asked', async () => {
    await setFaults({ cutAfter: 0 })
    await expect(send({})).rejects.toMatchObject({ code: 'ECONNECTION' })
    expect(await messages()).toHaveLength(0)
    await setFaults({ cutAfter: 0, keepsCut: true })
    await expect(send({})).rejects.toMatchObject({ code: 'ECONNECTION' })
    expect(await messages()).toHaveLength(1)
  })

  test('an accepted message bounces to its return address', async () => {
    await setFaults({ bounce: ['ann@example.com'], bounceUrl: emulators.smtpUrl })
    await send({
      messageId: '<m1@example.com>',
      envelope: { from: 'b.1@bounces.example.com', to: 'ann@example.com' },
    })
    await expect.poll(() => messages('?to=b.1%40bounces.example.com')).toHaveLength(1)
    const [bounce] = await messages('?to=b.1%40bounces.example.com')
    expect(bounce).toMatchObject({ envelopeFrom: '', subject: 'Undelivered Mail Returned to Sender' })
    const source = await (await fetch(`${emulators.inboxUrl}/view/${bounce.id}/source`)).text()
    expect(source).toContain('Final-Recipient: rfc822; ann@example.com')
    expect(source).toContain('Message-ID: <m1@example.com>')
  })
})

describe('GET /inbox/messages', () => {
  test('lists the newest first and filters by recipient', async () => {
    await send({ subject: 'first' })
    await send({ subject: 'second', to: 'bob@example.com' })
    expect((await messages()).map(({ subject }: { subject: string }) => subject)).toEqual(['second', 'first'])
    const forAnn = await messages('?to=ANN%40example.com')
    expect(forAnn.map(({ subject }: { subject: string }) => subject)).toEqual(['first'])
  })

  test('DELETE empties it', async () => {
    await send({})
    const reply = await fetch(`${emulators.inboxUrl}/messages`, { method: 'DELETE' })
    expect(reply.status).toBe(204)
    expect(await messages()).toEqual([])
  })
})

describe('the inbox page', () => {
  async function html(path = '') {
    const reply = await fetch(`${emulators.inboxUrl}${path}`)
    return {
      status: reply.status,
      policy: reply.headers.get('content-security-policy'),
      text: await reply.text(),
    }
  }

  test('an empty inbox says so', async () => {
    expect((await html()).text).toContain('No messages yet.')
    expect((await html('?to=ann@example.com')).text).toContain('No messages for ann@example.com yet.')
  })

  test('leads to the sign-in and Stripe emulators', async () => {
    const { text } = await html()
    for (const path of ['/identity', '/stripe']) {
      expect(text).toContain(`href="${path}"`)
      expect((await fetch(new URL(path, emulators.inboxUrl.replace('127.0.0.1', 'localhost')))).status).toBe(
        200,
      )
    }
  })

  test('a message is listed and can be opened', async () => {
    await send({ attachments: [{ filename: 'a.txt', content: 'hello' }] })
    const link = (await html()).text.match(/\/inbox(\/view\/[^"]+)"/)?.[1] ?? ''
    const { text } = await html(link)
    expect(text).toContain('Your 10AM edition – “quiet”')
    expect(text).toContain('a.txt')
    const file = await fetch(`${emulators.inboxUrl}${link}/attachments/0`)
    expect(await file.text()).toBe('hello')
  })

  test('escapes the content of an email', async () => {
    await send({ subject: '<script>alert(1)</script>', html: '<script>alert(2)</script><p>Hi</p>' })
    const list = await html()
    expect(list.text).not.toContain('<script>alert')
    const link = list.text.match(/\/inbox(\/view\/[^"]+)"/)?.[1] ?? ''
    expect((await html(link)).text).not.toContain('<script>alert')
    const body = await html(`${link}/html`)
    expect(body.text).toContain('<p>Hi</p>')
    expect(body.policy).toMatch(
      /^sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox; default-src 'none'/,
    )
  })

  test('shows an attached image', async () => {
    await send({
      html: '<img src="cid:heart@tidings">',
      attachments: [{ filename: 'heart.png', cid: 'heart@tidings', content: 'png' }],
    })
    const link = (await html()).text.match(/\/inbox(\/view\/[^"]+)"/)?.[1] ?? ''
    const source = (await html(`${link}/html`)).text.match(/src="([^"]+)"/)?.[1] ?? ''
    expect(await (await fetch(new URL(source, emulators.inboxUrl))).text()).toBe('png')
  })

  test('says that a message was not found', async () => {
    const { status, text } = await html('/view/msg_99')
    expect(status).toBe(404)
    expect(text).toContain('Message not found')
  })
})

describe('GET /healthz', () => {
  test('responds while the inbox runs', async () => {
    expect((await fetch(new URL('/healthz', emulators.inboxUrl))).status).toBe(200)
  })
})
