import { freePort } from '@tidings/launcher/free-port'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { codeIn, startInbox, type TestInbox } from '#test/mail/inbox.ts'
import { startScriptedMailServer, startUntrustedMailServer } from '#test/mail/scripted-mail-server.ts'
import { codePurposes, createCodeFlows, newPassword } from '#test/sign-in/code-flows.ts'
import { startTestApp, type TestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'
import { waitOptions } from '#test/wait-options.ts'

// Sites close before the mail servers, which wait for their open connections.
const sites: TestApp[] = []
const servers: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const site of sites.splice(0)) await site.close()
  for (const server of servers.splice(0)) await server.stop()
})

async function openInbox(smtpPort?: number): Promise<TestInbox> {
  const inbox = await startInbox(smtpPort === undefined ? {} : { smtpPort })
  servers.push(inbox)
  return inbox
}

async function openSite(options: { smtpUrl: string; databaseUrl?: string; working?: boolean }) {
  const log = createCapturedLog()
  const { smtpUrl, databaseUrl = await createTestDatabase(), working = true } = options
  const site = await startTestApp({
    databaseUrl,
    working,
    env: { SMTP_URL: smtpUrl },
    overrides: { logger: log.logger },
  })
  sites.push(site)
  return { site, databaseUrl, lines: log.lines }
}

/** Returns the URL of a mail server that is down until a test starts one on the port. */
async function deadMailServer(): Promise<{ smtpUrl: string; port: number }> {
  const port = await freePort()
  return { smtpUrl: `smtp://127.0.0.1:${port}`, port }
}

function newestCode({ context }: TestApp, email: string) {
  return context.database.db.oneTimeCode.findFirstOrThrow({
    where: { email },
    orderBy: { createdAt: 'desc' },
  })
}

const ann = 'ann@example.com'

describe('an unavailable mail server', () => {
  it('does not delay a sign-up: the account exists at once, and the email follows once', async () => {
    const { smtpUrl, port } = await deadMailServer()
    const { site, lines } = await openSite({ smtpUrl })
    const signUp = () =>
      site.app.inject({
        method: 'POST',
        url: '/auth/signup',
        headers: { 'x-api-key': site.context.config.site.appPublicKey },
        payload: { email: ann, password: 'a-long-password' },
      })
    expect((await signUp()).statusCode).toBe(200)
    expect((await signUp()).statusCode).toBe(409)
    await vi.waitFor(() => expect(lines.join('')).toContain('job failed'), waitOptions)
    expect((await newestCode(site, ann)).sentAt).toBeNull()
    const line = lines.find((logged) => logged.includes('email sending failed'))
    expect(JSON.parse(line ?? '{}')).toMatchObject({ kind: 'verification', code: 'ECONNREFUSED' })
    expect(lines.join('')).not.toContain(ann)

    const inbox = await openInbox(port)
    const flows = createCodeFlows(site, inbox)
    const mail = await inbox.mailTo(ann)
    await flows.mailed()
    expect(await inbox.mailsTo(ann)).toHaveLength(1)
    expect((await flows.use('verification', ann, codeIn(mail))).statusCode).toBe(200)
    expect(await site.context.database.db.member.count()).toBe(1)
  })

  it('does not shorten the lifetime of a code, which stays the same at each retry', async () => {
    const { smtpUrl, port } = await deadMailServer()
    const { site } = await openSite({ smtpUrl, working: false })
    const flows = createCodeFlows(site, await openInbox())
    await flows.memberOf(ann)
    const { id } = await newestCode(site, ann)
    await expect(site.context.codes.send(id)).rejects.toThrow('The email could not be sent')
    const { codeHash } = await newestCode(site, ann)
    flows.pass(3600)
    const inbox = await openInbox(port)
    await site.context.codes.send(id)
    expect((await newestCode(site, ann)).codeHash).toBe(codeHash)
    flows.pass(10 * 60 - 1)
    const code = codeIn(await inbox.mailTo(ann))
    expect((await flows.use('verification', ann, code)).statusCode).toBe(200)
  })

  it('drops a code that is too old to send', async () => {
    const inbox = await openInbox()
    const { site } = await openSite({ smtpUrl: inbox.smtpUrl, working: false })
    const flows = createCodeFlows(site, inbox)
    const maxSeconds = { reset: 2 * 3600, login: 1800, signup: 1800, verification: 24 * 3600 }
    for (const purpose of codePurposes) {
      const email = `${purpose}@example.com`
      if (purpose !== 'signup') await flows.memberOf(email)
      for (const [seconds, count] of [
        [maxSeconds[purpose] + 1, 0],
        [maxSeconds[purpose], 1],
      ] as const) {
        await flows.ask(purpose, email)
        const { id } = await newestCode(site, email)
        flows.pass(seconds)
        await site.context.codes.send(id)
        expect(await inbox.mailsTo(email), `${purpose} after ${seconds} seconds`).toHaveLength(count)
      }
    }
  })
})

describe('a mail server with a self-signed certificate', () => {
  it('is logged with that reason, without the address and the code', async () => {
    const server = await startUntrustedMailServer()
    servers.push(server)
    const { site, lines } = await openSite({ smtpUrl: server.url, working: false })
    const flows = createCodeFlows(site, await openInbox())
    await flows.memberOf(ann)
    const { id } = await newestCode(site, ann)
    await expect(site.context.codes.send(id)).rejects.toThrow('self-signed certificate')
    const line = lines.find((logged) => logged.includes('email sending failed'))
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      level: 40,
      kind: 'verification',
      messageId: `code-${id}`,
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      reason: expect.stringContaining('self-signed certificate'),
    })
    expect(lines.join('')).not.toContain(ann)
    expect(lines.join('')).not.toMatch(/"\d{6}"/)
  })
})

describe('a mail server that refuses an address', () => {
  it('is not tried again, and the log names the reason without the address', async () => {
    const server = await startScriptedMailServer({ 'RCPT TO': `550 5.1.1 <${ann}> unknown` })
    servers.push(server)
    const { site, lines } = await openSite({ smtpUrl: server.url })
    const flows = createCodeFlows(site, await openInbox())
    const { headers } = await flows.memberOf(ann)
    await flows.mailed()
    expect(await newestCode(site, ann)).toMatchObject({ sentAt: null, usedAt: site.clock.now() })
    const body = { oldPassword: 'a-long-password', newPassword }
    await flows.members.call('POST', '/member-auth', { headers, body })
    await flows.mailed()
    const log = lines.join('')
    const refused = lines.filter((line) => line.includes('email refused')).map((line) => JSON.parse(line))
    expect(refused).toMatchObject([
      { kind: 'verification', reason: '550 at RCPT TO' },
      { kind: 'password-changed', reason: '550 at RCPT TO' },
    ])
    expect(log).not.toContain(ann)
    expect(log).not.toContain('job failed')
  })
})

describe('an email', () => {
  it('is sent once, however often its job runs', async () => {
    const inbox = await openInbox()
    const { site } = await openSite({ smtpUrl: inbox.smtpUrl })
    const flows = createCodeFlows(site, inbox)
    const { headers } = await flows.memberOf(ann)
    const body = { oldPassword: 'a-long-password', newPassword }
    await flows.members.call('POST', '/member-auth', { headers, body })
    await flows.mailed()
    const email = await site.context.database.db.outboxEmail.findFirstOrThrow()
    await site.context.codes.send((await newestCode(site, ann)).id)
    await site.context.emails.send(email.id)
    expect(await inbox.mailsTo(ann)).toHaveLength(2)
  })

  it('is sent once with two workers at once', async () => {
    const inbox = await openInbox()
    const { site, databaseUrl } = await openSite({ smtpUrl: inbox.smtpUrl })
    await openSite({ smtpUrl: inbox.smtpUrl, databaseUrl })
    const flows = createCodeFlows(site, inbox)
    const addresses = Array.from({ length: 8 }, (_, index) => `many-${index}@example.com`)
    await Promise.all(addresses.map((email) => flows.memberOf(email)))
    await flows.mailed()
    const counts = await Promise.all(addresses.map(async (email) => (await inbox.mailsTo(email)).length))
    expect(counts).toEqual(addresses.map(() => 1))
  })

  it('that was accepted before a crash is sent again with the same id and code', async () => {
    const inbox = await openInbox()
    const { site } = await openSite({ smtpUrl: inbox.smtpUrl })
    const flows = createCodeFlows(site, inbox)
    const code = await flows.code('reset', ann)
    await flows.mailed()
    const { id } = await newestCode(site, ann)
    // The row after a crash between acceptance by the server and the update.
    await site.context.database.db.oneTimeCode.update({ where: { id }, data: { sentAt: null } })
    await site.context.codes.send(id)
    const [again, first] = await inbox.mailsTo(ann, 'Your password reset code')
    expect(again?.headers['message-id']).toBe(first?.headers['message-id'])
    expect(again?.subject).toBe(first?.subject)
    expect((await flows.use('reset', ann, code)).statusCode).toBe(200)
    await site.context.codes.send(id)
    expect(await inbox.mailsTo(ann, 'Your password reset code')).toHaveLength(2)
  })
})
