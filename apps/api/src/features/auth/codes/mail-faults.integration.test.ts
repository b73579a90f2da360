import { freePort } from '@tidings/launcher/free-port'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { createCodeFlows, newPassword } from '#test/code-flows.ts'
import { codeIn, startInbox, type TestInbox } from '#test/inbox.ts'
import { startScriptedMailServer } from '#test/scripted-mail-server.ts'
import { startTestApp, type TestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'
import { waitOptions } from '#test/wait-options.ts'

// Sites end before the mail servers, which wait for the connections that sites keep open.
const sites: TestApp[] = []
const servers: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const site of sites.splice(0)) await site.close()
  for (const server of servers.splice(0)) await server.stop()
})

// The templates take half a second to load, once in a process.
beforeAll(() => import('#integrations/mail/templates/render-mail.ts'))

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

/** An address where no mail server is, until one is opened on its port. */
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

describe('a mail server that is away', () => {
  it('holds up no sign-up: the account is made once, and the mail follows once', async () => {
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
    await vi.waitFor(
      () => expect(lines.join('')).toContain('a job failed and will be tried again'),
      waitOptions,
    )
    expect((await newestCode(site, ann)).sentAt).toBeNull()

    const inbox = await openInbox(port)
    const flows = createCodeFlows(site, inbox)
    const mail = await inbox.mailTo(ann)
    await flows.mailed()
    expect(await inbox.mailsTo(ann)).toHaveLength(1)
    expect((await flows.use('verification', ann, codeIn(mail))).statusCode).toBe(200)
    expect(await site.context.database.db.member.count()).toBe(1)
  })

  it('takes nothing of the life of a code, which is the same one at each try', async () => {
    const { smtpUrl, port } = await deadMailServer()
    const { site } = await openSite({ smtpUrl, working: false })
    const flows = createCodeFlows(site, await openInbox())
    await flows.memberOf(ann)
    const { id } = await newestCode(site, ann)
    await expect(site.context.codes.send(id)).rejects.toThrow('The mail could not be sent')
    const { codeHash } = await newestCode(site, ann)
    flows.pass(3600)
    const inbox = await openInbox(port)
    await site.context.codes.send(id)
    expect((await newestCode(site, ann)).codeHash).toBe(codeHash)
    flows.pass(10 * 60 - 1)
    const code = codeIn(await inbox.mailTo(ann))
    expect((await flows.use('verification', ann, code)).statusCode).toBe(200)
  })

  it.each([
    ['reset', 2 * 3600],
    ['login', 1800],
    ['signup', 1800],
    ['verification', 24 * 3600],
  ] as const)('for too long: nobody waits for a %s code any more', async (purpose, seconds) => {
    const inbox = await openInbox()
    const { site } = await openSite({ smtpUrl: inbox.smtpUrl, working: false })
    const flows = createCodeFlows(site, inbox)
    if (purpose !== 'signup') await flows.memberOf(ann)
    await flows.ask(purpose, ann)
    const { id } = await newestCode(site, ann)
    flows.pass(seconds + 1)
    await site.context.codes.send(id)
    expect(await inbox.mailsTo(ann)).toEqual([])
  })
})

describe('a mail server that refuses an address for good', () => {
  it('is asked once, and the log names a reason without the address', async () => {
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
    expect(log).toContain('a code could not be mailed to its address')
    expect(log).toContain('email refused')
    expect(log).toContain('550 at RCPT TO')
    expect(log).not.toContain(ann)
    expect(log).not.toContain('will be tried again')
  })
})

describe('a mail', () => {
  it('is sent once, however often its job runs', async () => {
    const inbox = await openInbox()
    const { site } = await openSite({ smtpUrl: inbox.smtpUrl })
    const flows = createCodeFlows(site, inbox)
    const { headers } = await flows.memberOf(ann)
    const body = { oldPassword: 'a-long-password', newPassword }
    await flows.members.call('POST', '/member-auth', { headers, body })
    await flows.mailed()
    const notice = await site.context.database.db.accountNotice.findFirstOrThrow()
    await site.context.codes.send((await newestCode(site, ann)).id)
    await site.context.emails.send(notice.id)
    expect(await inbox.mailsTo(ann)).toHaveLength(2)
  })

  it('is sent once with two workers at once', async () => {
    const inbox = await openInbox()
    const { site, databaseUrl } = await openSite({ smtpUrl: inbox.smtpUrl })
    await openSite({ smtpUrl: inbox.smtpUrl, databaseUrl })
    const flows = createCodeFlows(site, inbox)
    const addresses = Array.from({ length: 20 }, (_, index) => `many-${index}@example.com`)
    await Promise.all(addresses.map((email) => flows.memberOf(email)))
    await flows.mailed()
    const counts = await Promise.all(addresses.map(async (email) => (await inbox.mailsTo(email)).length))
    expect(counts).toEqual(addresses.map(() => 1))
  })

  it('that was taken before a crash comes again with the same id and code', async () => {
    const inbox = await openInbox()
    const { site } = await openSite({ smtpUrl: inbox.smtpUrl })
    const flows = createCodeFlows(site, inbox)
    const code = await flows.code('reset', ann)
    await flows.mailed()
    const { id } = await newestCode(site, ann)
    // As a process leaves it that ends between the server's answer and its own note of it.
    await site.context.database.db.oneTimeCode.update({ where: { id }, data: { sentAt: null } })
    await site.context.codes.send(id)
    const [again, first] = await inbox.mailsTo(ann, 'Your code for a new password')
    expect(again?.headers['message-id']).toBe(first?.headers['message-id'])
    expect(again?.subject).toBe(first?.subject)
    expect((await flows.use('reset', ann, code)).statusCode).toBe(200)
    await site.context.codes.send(id)
    expect(await inbox.mailsTo(ann, 'Your code for a new password')).toHaveLength(2)
  })
})
