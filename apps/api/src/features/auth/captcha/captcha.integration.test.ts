import type { LightMyRequestResponse } from 'fastify'
import { describe, expect } from 'vitest'
import { createAltchaCaptchaVerifier } from '#integrations/captcha/altcha-captcha-verifier.ts'
import { randomIds } from '#platform/ids.ts'
import { refusalOf } from '#test/desk.ts'
import { changeApp } from '#test/factories/app-settings.ts'
import { mailTest, secondProcess } from '#test/fixtures.ts'
import { codeIn } from '#test/mail/inbox.ts'
import { createTestMembers, readSession } from '#test/membership.ts'
import { solveCaptcha } from '#test/sign-in/captcha.ts'
import { testNow } from '#test/test-app.ts'

const pageOrigin = 'https://www.example.com'
const minuteMs = 60_000

const env = {
  CAPTCHA: 'altcha',
  ALLOWED_ORIGINS: pageOrigin,
  RATE_SIGNUP_CODES_PER_DAY: '2',
  RATE_CAPTCHA_CHALLENGES_PER_MINUTE: '20',
}
let made = 0

const it = mailTest({ env })
  .extend('second', { scope: 'file' }, secondProcess({ env }))
  .extend('elsewhere', { scope: 'file' }, ({ second }) => createTestMembers(second))
  .extend('signUp', { scope: 'file' }, ({ members }) => {
    return (body: object = {}, { call } = members): Promise<LightMyRequestResponse> =>
      call('POST', '/auth/signup', { body: { email: newEmail(), password: 'a-long-password', ...body } })
  })
  /** Requests and solves a challenge as a page's captcha does, without an app key. */
  .extend('solve', { scope: 'file' }, ({ site }) => async () => {
    const headers = { origin: pageOrigin }
    const reply = await site.app.inject({ method: 'GET', url: '/auth/captcha/challenge', headers })
    expect(reply.statusCode).toBe(200)
    return await solveCaptcha(reply.json())
  })
it.afterEach(({ site }) => site.clock.moveTo(testNow))

function newEmail(): string {
  made += 1
  return `new-${made}@example.com`
}

describe('GET /auth/captcha/challenge', () => {
  it("returns a new challenge each time to the app's pages, without an app key", async ({ site }) => {
    const ask = (origin: string) =>
      site.app.inject({ method: 'GET', url: '/auth/captcha/challenge', headers: { origin } })
    const [one, other, foreign] = [
      await ask(pageOrigin),
      await ask(pageOrigin),
      await ask('https://x.example'),
    ]
    expect(one.headers['access-control-allow-origin']).toBe(pageOrigin)
    expect(one.headers['cache-control']).toBe('no-store')
    expect(one.json().signature).not.toBe(other.json().signature)
    expect(one.json().parameters.expiresAt).toBe((testNow.getTime() + 10 * minuteMs) / 1000)
    expect(foreign.headers['access-control-allow-origin']).toBeUndefined()
  })
})

it('GET /auth/captcha/challenge limits a network to RATE_CAPTCHA_CHALLENGES_PER_MINUTE', async ({ site }) => {
  const ask = (remoteAddress: string) =>
    site.app.inject({ method: 'GET', url: '/auth/captcha/challenge', remoteAddress })
  for (let time = 0; time < 20; time += 1) expect((await ask('198.51.100.7')).statusCode).toBe(200)
  expect(refusalOf(await ask('198.51.100.7'))).toMatchObject({ status: 429, code: 'too-many-requests' })
  expect((await ask('198.51.100.8')).statusCode).toBe(200)
})

describe('POST /auth/signup with a captcha', () => {
  it('accepts a solution once, on every process', async ({ members, elsewhere, signUp, solve }) => {
    const captchaToken = await solve()
    readSession(await signUp({ captchaToken }))
    for (const process of [members, elsewhere]) {
      expect(refusalOf(await signUp({ captchaToken }, process))).toMatchObject({
        status: 400,
        code: 'invalid-captcha',
      })
    }
  })

  it('accepts one of many concurrent uses of a solution on two processes', async ({
    site,
    members,
    elsewhere,
    signUp,
    solve,
  }) => {
    const captchaToken = await solve()
    const before = await site.context.database.db.member.count()
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        signUp({ captchaToken }, index % 2 === 0 ? members : elsewhere),
      ),
    )
    const refused = replies.filter(({ statusCode }) => statusCode !== 200)
    expect(refused).toHaveLength(9)
    for (const reply of refused) expect(refusalOf(reply).code).toBe('invalid-captcha')
    expect(await site.context.database.db.member.count()).toBe(before + 1)
  })

  it('accepts a solution for ten minutes', async ({ site, signUp, solve }) => {
    const captchaToken = await solve()
    site.clock.moveTo(new Date(testNow.getTime() + 10 * minuteMs))
    expect(refusalOf(await signUp({ captchaToken }))).toMatchObject({ status: 400, code: 'invalid-captcha' })
    site.clock.moveTo(new Date(testNow.getTime() + 10 * minuteMs - 1))
    readSession(await signUp({ captchaToken }))
  })

  it("refuses a solution of another site's challenge", async ({ site, signUp }) => {
    const other = createAltchaCaptchaVerifier({
      secret: 'another secret of thirty-two characters',
      clock: site.clock,
      ids: randomIds,
      claim: async () => true,
    })
    const captchaToken = await solveCaptcha(await other.challenge())
    expect(refusalOf(await signUp({ captchaToken }))).toMatchObject({ status: 400, code: 'invalid-captcha' })
  })

  it.for([
    ['nothing', undefined],
    ['null', null],
    ['an empty text', ''],
    ['a word', 'solved'],
    ['foreign JSON', Buffer.from('{"challenge":{},"solution":{}}').toString('base64')],
    ['a prototype', Buffer.from('{"__proto__":{"polluted":1}}').toString('base64')],
  ] as const)('refuses %s and creates no account', async ([_what, captchaToken], { site, signUp }) => {
    const before = await site.context.database.db.member.count()
    const refusal = refusalOf(await signUp({ captchaToken }))
    expect(refusal).toEqual({
      status: 400,
      code: 'invalid-captcha',
      message: 'Complete the security check and try again.',
    })
    expect(await site.context.database.db.member.count()).toBe(before)
  })

  it('keeps a solution valid when the form has another error', async ({ signUp, solve }) => {
    const captchaToken = await solve()
    const faults = [
      [{ email: 'no address' }, 'invalid-email'],
      [{ password: 'short' }, 'invalid-password-too-short'],
      [{ plans: [{ planId: 'pln_unknown' }] }, 'plan-not-found'],
      [{ customFields: { name: {} } }, 'invalid-request'],
    ] as const
    for (const [fault, code] of faults) {
      expect(refusalOf(await signUp({ captchaToken, ...fault })).code).toBe(code)
    }
    readSession(await signUp({ captchaToken }))
  })

  it("counts a mailbox's sign-ups only with a captcha", async ({ signUp, solve }) => {
    const email = newEmail()
    for (let time = 0; time < 21; time += 1) {
      expect(refusalOf(await signUp({ email, captchaToken: 'wrong' })).code).toBe('invalid-captcha')
    }
    readSession(await signUp({ email, captchaToken: await solve() }))
  })

  it('requires no captcha when the app turns it off, as GET /app reports', async ({
    site,
    members,
    signUp,
  }) => {
    const required = async () => (await members.call('GET', '/app')).json().data.captchaRequired
    expect(await required()).toBe(true)
    await changeApp(site, { captcha: false })
    expect(await required()).toBe(false)
    readSession(await signUp())
    await changeApp(site, { captcha: null })
    expect(refusalOf(await signUp()).code).toBe('invalid-captcha')
  })

  it('requires no captcha for a sign-up by email code', async ({ inbox, members }) => {
    const email = newEmail()
    await members.call('POST', '/auth/passwordless/signup/send', { body: { email } })
    const passwordlessToken = codeIn(await inbox.mailTo(email))
    const reply = await members.call('POST', '/auth/signup?isPasswordless=true', {
      body: { email, passwordlessToken },
    })
    expect(readSession(reply).member).toMatchObject({ verified: true, auth: { email, hasPassword: false } })
  })
})

describe('POST /auth/passwordless/signup/send', () => {
  it('emails a limited number of new addresses a day per network, unless a captcha was solved', async ({
    flows,
    inbox,
    members,
    signUp,
    solve,
  }) => {
    const known = newEmail()
    readSession(await signUp({ email: known, captchaToken: await solve() }))
    await flows.mailed()
    const replies = new Set<string>()
    const isEmailed = async (email: string, { captchaToken = '', from = '10.40.0.1' } = {}) => {
      flows.pass(1)
      const before = await inbox.mailsTo(email)
      const body = { email, captchaToken }
      const reply = await members.call('POST', '/auth/passwordless/signup/send', { body, from })
      replies.add(`${reply.statusCode} ${reply.body}`)
      await flows.mailed()
      return (await inbox.mailsTo(email)).length > before.length
    }
    const [first, second] = [newEmail(), newEmail()]
    expect([await isEmailed(first), await isEmailed(second), await isEmailed(newEmail())]).toEqual([
      true,
      true,
      false,
    ])
    const captchaToken = await solve()
    expect(await isEmailed(newEmail(), { captchaToken })).toBe(true)
    for (const wrong of [captchaToken, 'wrong']) {
      expect(await isEmailed(newEmail(), { captchaToken: wrong })).toBe(false)
    }
    expect(await isEmailed(known)).toBe(true)
    expect(await isEmailed(newEmail(), { from: '10.40.0.2' })).toBe(true)
    expect(replies.size).toBe(1)
    const [mail] = await inbox.mailsTo(first)
    if (mail === undefined) throw new Error('No code has arrived')
    readSession(await flows.use('signup', first, codeIn(mail)))
    expect(await isEmailed(newEmail())).toBe(true)
  })
})
