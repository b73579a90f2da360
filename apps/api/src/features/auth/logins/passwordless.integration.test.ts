import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { changeApp } from '#test/factories/app-settings.ts'
import { mailTest } from '#test/fixtures.ts'
import { codeIn } from '#test/mail/inbox.ts'
import { readSession } from '#test/membership.ts'
import { otherCode } from '#test/sign-in/code-flows.ts'

const it = mailTest()

describe('POST /auth/passwordless/login', () => {
  it('logs in and verifies the address', async ({ site, flows }) => {
    const { email, memberId } = await flows.memberOf('ann@example.com')
    const reply = await flows.use('login', ' ANN@example.com', await flows.code('login', email))
    const session = readSession(reply)
    expect(reply.json()._internalUseOnly.message).toBe('You have successfully logged in.')
    expect(session.member.id).toBe(memberId)
    expect(session.member.verified).toBe(true)
    expect(session.member.lastLogin).toBe(site.clock.now().toISOString())
  })

  it('refuses a wrong code and an unknown address alike', async ({ flows }) => {
    const { email } = await flows.memberOf('bea@example.com')
    const code = otherCode(await flows.code('login', email))
    await flows.ask('login', 'stranger@example.com')
    await flows.mailed()
    const replies = await Promise.all(
      [email, 'stranger@example.com', 'unknown@example.com'].map((one) => flows.use('login', one, code)),
    )
    expect(new Set(replies.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
  })

  it('refuses the code of a deleted account', async ({ flows }) => {
    const { email, headers } = await flows.memberOf('cy@example.com')
    const code = await flows.code('login', email)
    await flows.members.call('DELETE', '/member', { headers })
    expect(refusalOf(await flows.use('login', email, code))).toMatchObject({
      status: 400,
      code: 'invalid-passwordless-login-code',
    })
  })
})

describe('POST /auth/signup?isPasswordless=true', () => {
  it('creates a verified account without a password', async ({ flows, inbox }) => {
    const email = 'dan@example.com'
    const passwordlessToken = await flows.code('signup', email)
    const reply = await flows.members.call('POST', '/auth/signup?isPasswordless=true', {
      body: { email, passwordlessToken, customFields: { name: 'Dan', nonsense: 1 }, metaData: { from: 'a' } },
    })
    const { member } = readSession(reply)
    expect(reply.json()._internalUseOnly.message).toBe('Your account is ready.')
    expect(member).toMatchObject({ verified: true, auth: { email, hasPassword: false, providers: [] } })
    expect(member.customFields).toMatchObject({ name: 'Dan' })
    expect(member.metaData).toEqual({ from: 'a' })
    await flows.mailed()
    expect(await inbox.mailsTo(email)).toHaveLength(1)
  })

  it('logs in an existing member, changes nothing, and only the email reveals the account', async ({
    site,
    flows,
    inbox,
  }) => {
    const { email, memberId } = await flows.memberOf('eve@example.com')
    await site.context.database.db.member.update({ where: { id: memberId }, data: { verified: true } })
    const known = await flows.ask('signup', email)
    const unknown = await flows.ask('signup', 'newcomer@example.com')
    expect([known.statusCode, known.body]).toEqual([unknown.statusCode, unknown.body])
    const mail = await inbox.mailTo(email, 'You already have an account')
    const reply = await flows.members.call('POST', '/auth/signup?isPasswordless=true', {
      body: { email, passwordlessToken: codeIn(mail), customFields: { name: 'Mallory' } },
    })
    const { member } = readSession(reply)
    expect(member).toMatchObject({ id: memberId, verified: true, auth: { hasPassword: true } })
    expect(member.customFields).not.toHaveProperty('name', 'Mallory')
    expect(await site.context.database.db.member.count({ where: { email } })).toBe(1)
  })

  it.for([
    ['an unknown plan', { plans: [{ planId: 'pln_none' }] }, 'plan-not-found'],
    ['too much metaData', { metaData: { text: 'x'.repeat(21_000) } }, null],
  ] as const)('refuses %s and keeps the code valid', async ([name, extra, code], { flows }) => {
    const email = `${name.replaceAll(' ', '-')}@example.com`
    const passwordlessToken = await flows.code('signup', email)
    const url = '/auth/signup?isPasswordless=true'
    const refusal = refusalOf(
      await flows.members.call('POST', url, { body: { email, passwordlessToken, ...extra } }),
    )
    expect(refusal.status).toBeGreaterThanOrEqual(400)
    if (code !== null) expect(refusal.code).toBe(code)
    const reply = await flows.members.call('POST', url, { body: { email, passwordlessToken } })
    expect(reply.statusCode).toBe(200)
  })

  it('refuses a request without a code', async ({ flows }) => {
    const reply = await flows.members.call('POST', '/auth/signup?isPasswordless=true', {
      body: { email: 'finn@example.com', password: 'a-long-password' },
    })
    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-passwordless-login-code' })
  })
})

describe.each(['login', 'signup'] as const)('POST /auth/passwordless/%s/send', (purpose) => {
  it('refuses a malformed address', async ({ flows }) => {
    const reply = await flows.ask(purpose, 'gil@')
    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-email' })
  })

  it('refuses requests and codes when passwordless login is off', async ({ site, flows }) => {
    const code = await flows.code(purpose, `off-${purpose}@example.com`)
    await changeApp(site, { passwordless: { enabled: false, isDefault: false } })
    const refused = { status: 403, code: 'passwordless-disabled' }
    expect(refusalOf(await flows.ask(purpose, `off-${purpose}@example.com`))).toMatchObject(refused)
    expect(refusalOf(await flows.use(purpose, `off-${purpose}@example.com`, code))).toMatchObject(refused)
    await changeApp(site, { passwordless: { enabled: true, isDefault: false } })
  })
})
