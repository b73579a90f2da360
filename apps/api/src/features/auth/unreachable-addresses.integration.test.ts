import { freePort } from '@tidings/launcher/free-port'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startSmtpServer } from '#test/mail/smtp-server.ts'
import { createTestMembers } from '#test/membership.ts'
import { startTestApp, testNow } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'
import { waitOptions } from '#test/wait-options.ts'

const closes: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closes.splice(0).reverse()) await close()
})

async function openServer(options: { hasSmtpUtf8: boolean; port?: number }) {
  const server = await startSmtpServer(options)
  closes.push(() => server.stop())
  return server
}

/** Starts a site whose worker has asked the mail server. */
async function openSite(env: Record<string, string>, { isChecked = true } = {}) {
  const site = await startTestApp({ databaseUrl: await createTestDatabase(), env })
  closes.push(() => site.close())
  if (isChecked) await site.context.mailServers.check()
  const members = createTestMembers(site)
  const post = (path: string, body: object) => members.call('POST', path, { body })
  return { site, members, post }
}

const email = 'müller@example.com'
const password = 'a-long-password'
const refusal = {
  code: 'email-unreachable',
  message: 'Our mail server can’t reach addresses with letters such as ü before the @. Use another address.',
}

describe('at a mail server without SMTPUTF8', () => {
  it.each([
    ['/auth/signup', { email, password }],
    ['/auth/signup', { email: ' MU\u0308LLER@example.com\u200b', password }],
    ['/auth/passwordless/signup/send', { email }],
    ['/auth/passwordless/login/send', { email }],
    ['/auth/send-reset-password-email', { email }],
  ])('%s says at once that an address with letters such as ü gets no email', async (path, body) => {
    const { url: SMTP_URL } = await openServer({ hasSmtpUtf8: false })
    const { post, site } = await openSite({ SMTP_URL })
    const reply = await post(path, body)
    expect(reply.statusCode).toBe(400)
    expect(reply.json().error).toMatchObject(refusal)
    expect(await site.context.database.db.member.count()).toBe(0)
    expect(await site.context.database.db.oneTimeCode.count()).toBe(0)
  })

  it('a member can change to no such address, and keeps the own one', async () => {
    const { url: SMTP_URL } = await openServer({ hasSmtpUtf8: false })
    const { members } = await openSite({ SMTP_URL })
    const { headers } = await members.signUp({ email: 'ann@example.com' })
    const reply = await members.call('POST', '/member-auth', {
      headers,
      body: { email: '読者@example.com' },
    })
    expect(reply.json().error).toMatchObject({
      code: 'email-unreachable',
      message: expect.stringContaining('such as 読 before'),
    })
    const { data } = (await members.call('GET', '/member', { headers })).json()
    expect(data.auth.email).toBe('ann@example.com')
  })

  it('an address whose domain alone has such letters gets its emails', async () => {
    const { url: SMTP_URL, recipients, sources } = await openServer({ hasSmtpUtf8: false })
    const { post } = await openSite({ SMTP_URL })
    const reply = await post('/auth/signup', { email: 'info@bücher.example', password })
    expect(reply.statusCode).toBe(200)
    await vi.waitFor(() => expect(sources).toHaveLength(1), waitOptions)
    // This server shows the ASCII form of the envelope in letters.
    expect(recipients).toEqual(['info@bücher.example'])
    expect(sources[0]).toMatch(/^To: info@xn--bcher-kva\.example\r$/m)
  })

  it('which sends only the editions, a sign-up is refused too', async () => {
    const { url: SMTP_URL } = await openServer({ hasSmtpUtf8: true })
    const { url: BULK_SMTP_URL } = await openServer({ hasSmtpUtf8: false })
    const { post } = await openSite({ SMTP_URL, BULK_SMTP_URL })
    expect((await post('/auth/signup', { email, password })).json().error).toMatchObject(refusal)
  })
})

describe('a sign-up at müller@example.com is accepted', () => {
  it('at a mail server with SMTPUTF8, which delivers the code', async () => {
    const { url: SMTP_URL, recipients } = await openServer({ hasSmtpUtf8: true })
    const { post } = await openSite({ SMTP_URL })
    expect((await post('/auth/signup', { email, password })).statusCode).toBe(200)
    await vi.waitFor(() => expect(recipients).toEqual([email]), waitOptions)
  })

  it('while no worker has asked the server', async () => {
    const { url: SMTP_URL } = await openServer({ hasSmtpUtf8: false })
    const { post } = await openSite({ SMTP_URL }, { isChecked: false })
    expect((await post('/auth/signup', { email, password })).statusCode).toBe(200)
  })

  it('while the server is down and unknown', async () => {
    const { post } = await openSite({ SMTP_URL: `smtp://127.0.0.1:${await freePort()}` })
    expect((await post('/auth/signup', { email, password })).statusCode).toBe(200)
  })

  it('without a mail server', async () => {
    const { post } = await openSite({})
    expect((await post('/auth/signup', { email, password })).statusCode).toBe(200)
  })

  it('a day after the last reply of the server', async () => {
    const { url: SMTP_URL } = await openServer({ hasSmtpUtf8: false })
    const { post, site } = await openSite({ SMTP_URL })
    site.clock.moveTo(new Date(testNow.getTime() + 24 * 3600 * 1000 + 1))
    expect((await post('/auth/signup', { email, password })).statusCode).toBe(200)
  })

  it('once the server offers it, and refused again once it no longer does', async () => {
    const first = await startSmtpServer({ hasSmtpUtf8: false })
    const { post, site } = await openSite({ SMTP_URL: first.url })
    await first.stop()
    const second = await startSmtpServer({ hasSmtpUtf8: true, port: first.port })
    await site.context.mailServers.check()
    expect((await post('/auth/passwordless/login/send', { email })).statusCode).toBe(200)
    await second.stop()
    // A server that is down keeps its last reply.
    await site.context.mailServers.check()
    expect((await post('/auth/passwordless/login/send', { email })).statusCode).toBe(200)
    await openServer({ hasSmtpUtf8: false, port: first.port })
    await site.context.mailServers.check()
    expect((await post('/auth/passwordless/login/send', { email })).json().error).toMatchObject(refusal)
  })
})
