import { signIn } from '@tidings/emulators/identity/sign-in'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import type { TestMember } from '#test/membership.ts'
import { failureOf, newPerson, type PopupEnd } from '#test/popups.ts'
import { otherApp, readerOrigins, type SignInSite, sessionOf, startSignInSite } from '#test/sign-in-site.ts'
import { waitOptions } from '#test/wait-options.ts'

let at: SignInSite
beforeAll(async () => {
  at = await startSignInSite()
})
afterAll(() => at.close())

const loginRequired = {
  code: 'account-connect-requires-login',
  message: 'Log in before you connect another sign-in.',
}

function connect(
  { token }: Pick<TestMember, 'token'>,
  person: Record<string, string>,
  provider = 'local',
): Promise<PopupEnd> {
  return at.browser().visit('connect', at.query(provider, { member: token }), person)
}

async function disconnect({ headers }: Pick<TestMember, 'headers'>, provider = 'local') {
  return await at.members.call('POST', '/member/disconnect-provider', { headers, body: { provider } })
}

/** Signs up by the local provider, without a password. */
async function signUpByProvider(email: string) {
  const session = sessionOf(await at.browser().visit('signup', at.query('local'), newPerson(email)))
  return { token: session.tokens.accessToken, headers: at.members.headersOf(session), id: session.member.id }
}

describe('GET /auth-provider/connect', () => {
  it('connects a provider with any address and emails the member', async () => {
    const ann = await at.member('ann@example.com', { verified: false })
    const person = newPerson('ann-elsewhere@example.com', { verified: false })
    const end = await connect(ann, person)
    expect(end.status).toBe(200)
    expect(end.origins).toEqual(readerOrigins)
    const message = 'This sign-in is now connected to your account.'
    expect(end.message).toEqual({ data: { providers: [{ provider: 'local' }], message } })
    const login = await at.browser().visit('login', at.query('local'), person)
    expect(sessionOf(login).member).toMatchObject({ id: ann.memberId, verified: false })
    await expect
      .poll(() => at.subjectsTo(ann.email), waitOptions)
      .toContain('You can now log in to Tidings with Tidings ID')
  })

  it('asks for confirmation with the provider and the masked address, without a redirect', async () => {
    const lee = await at.member('lee@example.com')
    const browser = at.browser()
    const page = await browser.request('connect', at.query('local', { member: lee.token }))
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self'")
    expect(page.headers.get('referrer-policy')).toBe('strict-origin')
    expect(browser.cookies()).toEqual([])
    const html = await page.text()
    expect(html).toContain('<h1>Connect Tidings ID to l•••@example.com?</h1>')
    expect(html).not.toContain('lee@example.com')
  })

  it.each(['https://evil.example', 'https://reader.example', 'null', ''])(
    'refuses a form from the origin %j',
    async (origin) => {
      const mia = await at.member(`mia-${origin.length}@example.com`)
      const browser = at.browser()
      const page = await browser.request('connect', at.query('local', { member: mia.token }))
      const reply = await browser.sendForm(await page.text(), origin)
      expect(reply.status).toBe(403)
      expect(await reply.text()).toContain('domain-not-permitted')
      expect(browser.cookies()).toEqual([])
    },
  )

  it('adds a second provider, which GET /member lists at once', async () => {
    const bo = await at.member('bo@example.com')
    await connect(bo, newPerson('bo@example.com'))
    const end = await connect(bo, newPerson('bo@example.com'), 'github')
    expect(end.message).toMatchObject({
      data: { providers: [{ provider: 'local' }, { provider: 'github' }] },
    })
    const { data } = (await at.members.call('GET', '/member', { headers: bo.headers })).json()
    expect(data.auth.providers).toEqual([{ provider: 'local' }, { provider: 'github' }])
  })

  it.each<[string, () => Promise<string>]>([
    ['no token', async () => ''],
    ['a malformed token', async () => 'not-a-token'],
    ['a token with a trailing word', async () => `${(await at.member('spaced@example.com')).token} x`],
    ['the token of an ended session', endedToken],
    ['the token of another app', tokenOfOtherApp],
  ])('refuses %s and asks to log in', async (_what, token) => {
    const browser = at.browser()
    const end = await browser.refused('connect', at.query('local', { member: await token() }))
    expect(end).toMatchObject({ status: 401, origins: readerOrigins })
    expect(failureOf(end)).toEqual(loginRequired)
    expect(browser.cookies()).toEqual([])
  })

  it.each<[string, (member: TestMember) => Promise<unknown>]>([
    ['logged out', (member) => at.members.call('POST', '/member/logout', { headers: member.headers })],
    ['deleted the account', (member) => at.members.call('DELETE', '/member', { headers: member.headers })],
  ])('connects nothing for a member who %s during the sign-in', async (what, act) => {
    const email = `${what.replaceAll(' ', '-')}@example.com`
    const member = await at.member(email)
    const browser = at.browser()
    const { atProvider } = await browser.open('connect', at.query('local', { member: member.token }))
    const back = await signIn(atProvider, newPerson(`other-${email}`))
    await act(member)
    expect(failureOf(await browser.callback(back))).toEqual(loginRequired)
    const stranger = await at.browser().visit('login', at.query('local'), newPerson(`other-${email}`))
    expect(failureOf(stranger).code).toBe('account-not-found')
  })

  it('refuses a sign-in that belongs to another account', async () => {
    const theirs = newPerson('theirs@example.com')
    const owner = sessionOf(await at.browser().visit('signup', at.query('local'), theirs)).member.id
    const thief = await at.member('thief@example.com')
    const end = await connect(thief, theirs)
    expect(end.status).toBe(409)
    expect(failureOf(end).code).toBe('account-already-connected')
    expect(await at.accountsOf('thief@example.com')).toMatchObject([{ providers: [] }])
    const login = await at.browser().visit('login', at.query('local'), theirs)
    expect(sessionOf(login).member.id).toBe(owner)
  })

  it.each([
    ['the same sign-in', 'dee-one@example.com'],
    ['another sign-in of the same provider', 'dee-two@example.com'],
  ])('refuses a second connection by %s', async (_what, second) => {
    const dee = await at.member(`of-${second}`)
    await connect(dee, newPerson('dee-one@example.com'))
    expect(failureOf(await connect(dee, newPerson(second))).code).toBe('account-already-connected')
    const accounts = await at.accountsOf(dee.email)
    await disconnect(dee)
    expect(accounts).toMatchObject([{ providers: ['local'] }])
  })

  it('connects one of two concurrent sign-ins', async () => {
    const eve = await at.member('eve@example.com')
    const ends = await Promise.all([
      connect(eve, newPerson('eve-one@example.com')),
      connect(eve, newPerson('eve-two@example.com')),
    ])
    expect(ends.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await at.accountsOf('eve@example.com')).toMatchObject([{ providers: ['local'] }])
  })

  it('creates no account, even with allowSignup', async () => {
    const fay = await at.member('fay@example.com')
    const query = at.query('local', { member: fay.token, allowSignup: 'true', customFields: '{"name":"x"}' })
    await at.browser().visit('connect', query, newPerson('fay-elsewhere@example.com'))
    expect(await at.accountsOf('fay-elsewhere@example.com')).toEqual([])
  })
})

describe('POST /member/disconnect-provider', () => {
  it('disconnects a provider and returns the remaining ones', async () => {
    const gil = await at.member('gil@example.com')
    const person = newPerson('gil-elsewhere@example.com')
    await connect(gil, person)
    await connect(gil, person, 'spare')
    const before = await at.members.call('GET', '/member', { headers: gil.headers })
    expect(before.json().data.auth.providers).toHaveLength(2)
    const reply = await disconnect(gil)
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.json()).toEqual({
      data: { providers: [{ provider: 'spare' }] },
      _internalUseOnly: { message: 'This sign-in is no longer connected to your account.' },
    })
    const { data } = (await at.members.call('GET', '/member', { headers: gil.headers })).json()
    expect(data.auth.providers).toEqual([{ provider: 'spare' }])
    const end = await at.browser().visit('login', at.query('local'), person)
    expect(failureOf(end).code).toBe('account-not-found')
  })

  it.each(['local', 'unknown', '__proto__'])('refuses %j, which is not connected', async (provider) => {
    const hal = await at.member(`hal-${provider}@example.com`)
    expect(refusalOf(await disconnect(hal, provider))).toMatchObject({
      status: 404,
      code: 'account-not-connected',
    })
  })

  it('refuses to remove the last login method until the account has a password', async () => {
    const ida = await signUpByProvider('ida@example.com')
    expect(refusalOf(await disconnect(ida))).toMatchObject({
      status: 409,
      code: 'account-set-password-before-disconnect',
    })
    const body = { password: 'a-long-password' }
    const set = await at.members.call('POST', '/member/set-password', { headers: ida.headers, body })
    expect(set.statusCode).toBe(200)
    expect((await disconnect(ida)).statusCode).toBe(200)
    expect((await at.members.logIn({ email: 'ida@example.com' })).member.id).toBe(ida.id)
  })

  it('keeps one of two providers that are disconnected concurrently', async () => {
    const jo = await signUpByProvider('jo@example.com')
    await connect(jo, newPerson('jo@example.com'), 'spare')
    const replies = await Promise.all([disconnect(jo), disconnect(jo, 'spare')])
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    const [account] = await at.accountsOf('jo@example.com')
    expect(account?.providers).toHaveLength(1)
  })

  it.each([
    ['a visitor', () => at.members.visitor, 'login-required'],
    [
      'an ended session',
      async () => ({ ...at.members.visitor, authorization: `Bearer ${await endedToken()}` }),
      'client/invalid-token',
    ],
  ])('refuses %s', async (_who, headers, code) => {
    expect(refusalOf(await disconnect({ headers: await headers() }))).toMatchObject({ status: 401, code })
  })

  it('requires the name of a provider', async () => {
    const kim = await at.member('kim@example.com')
    const reply = await at.members.call('POST', '/member/disconnect-provider', {
      headers: kim.headers,
      body: {},
    })
    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'required-field-missing' })
  })
})

let ended = 0
async function endedToken(): Promise<string> {
  ended += 1
  const { token, headers } = await at.member(`ended-${ended}@example.com`)
  await at.members.call('POST', '/member/logout', { headers })
  return token
}

async function tokenOfOtherApp(): Promise<string> {
  const query = { provider: 'local', ...otherApp }
  const end = await at.browser().visit('signup', query, newPerson('elsewhere@example.com'))
  return sessionOf(end).tokens.accessToken
}
