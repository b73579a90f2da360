import { expect, vi } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { mailTest } from '#test/fixtures.ts'
import { codeIn } from '#test/mail/inbox.ts'
import { startScriptedMailServer } from '#test/mail/scripted-mail-server.ts'
import { createTestMembers, readSession } from '#test/membership.ts'
import { newPassword, otherCode } from '#test/sign-in/code-flows.ts'
import { startMailSite } from '#test/sites/mail-site.ts'
import { waitOptions } from '#test/wait-options.ts'

// Captures every line at debug level, without redaction.
const log = createCapturedLog()
const it = mailTest({ env: { LOG_LEVEL: 'debug' }, overrides: { logger: log.logger } })

const password = 'a-long-password'

/** Returns the secrets that the log contains, plain, URL-encoded or JSON-escaped. */
function leaked(secrets: readonly string[]): string[] {
  const text = log.lines.join('').toLowerCase()
  return secrets.filter((secret) => {
    const spellings = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]
    return spellings.some((spelling) => text.includes(spelling.toLowerCase()))
  })
}

it('the log contains no code, address, password or token while members sign up and log in', async ({
  site,
  flows,
  inbox,
}) => {
  const email = 'ann.private@example.com'
  const { headers, token } = await flows.memberOf(email)
  const secrets = [email, 'ann.private', password, newPassword, token]

  const link = new URL(/^http.*$/m.exec((await inbox.mailTo(email)).text)?.[0] ?? '')
  await site.app.inject({ method: 'GET', url: link.pathname + link.search })
  await site.app.inject({
    method: 'POST',
    url: '/auth/verify-email/confirm',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: `${link.search.slice(1)}&password=a-wrong-secret`,
  })
  secrets.push(codeIn(await inbox.mailTo(email)), link.searchParams.get('signature') ?? 'no signature')

  await flows.members.logIn({ email })
  await flows.members.call('POST', '/auth/login', { body: { email, password: 'a-wrong-secret' } })
  secrets.push('a-wrong-secret')
  const login = await flows.code('login', email)
  await flows.use('login', email, otherCode(login))
  const session = readSession(await flows.use('login', email, login))
  const signup = await flows.code('signup', 'bea.private@example.com')
  await flows.use('signup', 'bea.private@example.com', signup)
  const reset = await flows.code('reset', email)
  await flows.members.call('POST', '/auth/reset-password', { body: { token: otherCode(reset), newPassword } })
  await flows.members.call('POST', '/auth/reset-password', { body: { token: reset, newPassword } })
  await flows.members.call('POST', '/member-auth', { headers, body: { email: 'ann.second@example.com' } })
  await flows.members.call('POST', '/auth/signup', { body: { email, password: 12 } })
  await site.app.inject({
    method: 'POST',
    url: '/auth/login',
    headers: { ...flows.members.visitor, 'content-type': 'application/json' },
    payload: `{"email":"${email}","password":"${password}"`,
  })
  await flows.mailed()
  secrets.push(login, signup, reset, session.tokens.accessToken, 'bea.private', 'ann.second')
  log.logger.debug('last line')
  expect(leaked(secrets)).toEqual([])
  expect(log.lines.length).toBeGreaterThan(0)
})

it('the log contains no address, code or password when emails and jobs fail', async () => {
  const server = await startScriptedMailServer({ 'RCPT TO': '451 <cy.private@example.com> is busy' })
  const failing = await startMailSite({
    env: { SMTP_URL: server.url.replace('//', '//mailer:smtp-secret@'), LOG_LEVEL: 'debug' },
    overrides: { logger: log.logger },
  })
  await createTestMembers(failing.site).signUp({ email: 'cy.private@example.com', password })
  await vi.waitFor(() => expect(log.lines.join('')).toContain('job failed'), waitOptions)
  const row = await failing.site.context.database.db.oneTimeCode.findFirstOrThrow()
  await failing.close()
  await server.stop()
  expect(row.sentAt).toBeNull()
  expect(leaked(['cy.private', password, 'smtp-secret'])).toEqual([])
})

it('the log contains no data of a row that the database refuses', async ({ site, flows }) => {
  const { database } = site.context
  const first = await database.db.member.findFirstOrThrow()
  const reply = await flows.members.call('POST', '/auth/signup', {
    body: { email: 'dan.private@example.com', password, customFields: { name: 'Dan\u0000Private' } },
  })
  expect(reply.statusCode).toBeLessThan(500)
  expect(leaked(['dan.private', 'Dan\u0000Private', first.passwordHash ?? '$argon2id'])).toEqual([])
})
