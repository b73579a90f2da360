import { signIn as completeSignIn } from '@tidings/emulators/identity/sign-in'
import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { signInTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'
import { failureOf, newPerson, type PopupEnd } from '#test/sign-in/popups.ts'
import { otherApp, readerOrigins, type SignInSite, sessionOf } from '#test/sites/sign-in-site.ts'
import { waitOptions } from '#test/wait-options.ts'

const loginRequired = {
  code: 'account-connect-requires-login',
  message: 'Log in first. Then you can connect another way to log in.',
}

const it = signInTest()
  .extend(
    'connect',
    { scope: 'file' },
    ({ signIn }) =>
      (
        { token }: Pick<TestMember, 'token'>,
        person: Record<string, string>,
        provider = 'local',
      ): Promise<PopupEnd> =>
        signIn.browser().visit('connect', signIn.query(provider, { member: token }), person),
  )
  .extend(
    'disconnect',
    { scope: 'file' },
    ({ members }) =>
      async ({ headers }: Pick<TestMember, 'headers'>, provider = 'local') =>
        await members.call('POST', '/member/disconnect-provider', { headers, body: { provider } }),
  )
  /** Signs up by the local provider, without a password. */
  .extend('signUpByProvider', { scope: 'file' }, ({ signIn, members }) => async (email: string) => {
    const session = sessionOf(await signIn.browser().visit('signup', signIn.query('local'), newPerson(email)))
    return { token: session.tokens.accessToken, headers: members.headersOf(session), id: session.member.id }
  })

async function endedToken({ members }: SignInSite): Promise<string> {
  const { token, headers } = await members.signUp()
  await members.call('POST', '/member/logout', { headers })
  return token
}

async function tokenOfOtherApp({ browser }: SignInSite): Promise<string> {
  const query = { provider: 'local', ...otherApp }
  const end = await browser().visit('signup', query, newPerson('elsewhere@example.com'))
  return sessionOf(end).tokens.accessToken
}

describe('GET /auth-provider/connect', () => {
  it('connects a provider with any address and emails the member', async ({ signIn, connect }) => {
    const ann = await signIn.member('ann@example.com', { verified: false })
    const person = newPerson('ann-elsewhere@example.com', { verified: false })
    const end = await connect(ann, person)
    expect(end.status).toBe(200)
    expect(end.origins).toEqual(readerOrigins)
    const message = 'You can now log in this way too.'
    expect(end.message).toEqual({ data: { providers: [{ provider: 'local' }], message } })
    const login = await signIn.browser().visit('login', signIn.query('local'), person)
    expect(sessionOf(login).member).toMatchObject({ id: ann.memberId, verified: false })
    await expect
      .poll(() => signIn.subjectsTo(ann.email), waitOptions)
      .toContain('You can now log in to Tidings with Tidings ID')
  })

  it('asks for confirmation with the provider and the masked address, without a redirect', async ({
    signIn,
  }) => {
    const lee = await signIn.member('lee@example.com')
    const browser = signIn.browser()
    const page = await browser.request('connect', signIn.query('local', { member: lee.token }))
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self'")
    expect(page.headers.get('referrer-policy')).toBe('strict-origin')
    expect(browser.cookies()).toEqual([])
    const html = await page.text()
    expect(html).toContain('<h1>Connect Tidings ID to l•••@example.com?</h1>')
    expect(html).not.toContain('lee@example.com')
  })

  it.for(['https://evil.example', 'https://reader.example', 'null', ''])(
    'refuses a form from the origin %j',
    async (origin, { signIn }) => {
      const mia = await signIn.member(`mia-${origin.length}@example.com`)
      const browser = signIn.browser()
      const page = await browser.request('connect', signIn.query('local', { member: mia.token }))
      const reply = await browser.sendForm(await page.text(), origin)
      expect(reply.status).toBe(403)
      expect(await reply.text()).toContain('domain-not-permitted')
      expect(browser.cookies()).toEqual([])
    },
  )

  it('adds a second provider, which GET /member lists at once', async ({ signIn, members, connect }) => {
    const bo = await signIn.member('bo@example.com')
    await connect(bo, newPerson('bo@example.com'))
    const end = await connect(bo, newPerson('bo@example.com'), 'github')
    expect(end.message).toMatchObject({
      data: { providers: [{ provider: 'local' }, { provider: 'github' }] },
    })
    const { data } = (await members.call('GET', '/member', { headers: bo.headers })).json()
    expect(data.auth.providers).toEqual([{ provider: 'local' }, { provider: 'github' }])
  })

  it.for<[what: string, token: (signIn: SignInSite) => Promise<string>]>([
    ['no token', async () => ''],
    ['a malformed token', async () => 'not-a-token'],
    ['a token with a trailing word', async ({ member }) => `${(await member('spaced@example.com')).token} x`],
    ['the token of an ended session', endedToken],
    ['the token of another app', tokenOfOtherApp],
  ])('refuses %s and asks to log in', async ([_what, token], { signIn }) => {
    const browser = signIn.browser()
    const end = await browser.refused('connect', signIn.query('local', { member: await token(signIn) }))
    expect(end).toMatchObject({ status: 401, origins: readerOrigins })
    expect(failureOf(end)).toEqual(loginRequired)
    expect(browser.cookies()).toEqual([])
  })

  it.for([
    ['logged out', 'POST', '/member/logout'],
    ['deleted the account', 'DELETE', '/member'],
  ] as const)(
    'connects nothing for a member who %s during the sign-in',
    async ([what, method, url], { signIn, members }) => {
      const email = `${what.replaceAll(' ', '-')}@example.com`
      const member = await signIn.member(email)
      const browser = signIn.browser()
      const { atProvider } = await browser.open('connect', signIn.query('local', { member: member.token }))
      const back = await completeSignIn(atProvider, newPerson(`other-${email}`))
      await members.call(method, url, { headers: member.headers })
      expect(failureOf(await browser.callback(back))).toEqual(loginRequired)
      const stranger = await signIn
        .browser()
        .visit('login', signIn.query('local'), newPerson(`other-${email}`))
      expect(failureOf(stranger).code).toBe('account-not-found')
    },
  )

  it('refuses a sign-in that belongs to another account', async ({ signIn, connect }) => {
    const theirs = newPerson('theirs@example.com')
    const owner = sessionOf(await signIn.browser().visit('signup', signIn.query('local'), theirs)).member.id
    const thief = await signIn.member('thief@example.com')
    const end = await connect(thief, theirs)
    expect(end.status).toBe(409)
    expect(failureOf(end).code).toBe('account-already-connected')
    expect(await signIn.accountsOf('thief@example.com')).toMatchObject([{ providers: [] }])
    const login = await signIn.browser().visit('login', signIn.query('local'), theirs)
    expect(sessionOf(login).member.id).toBe(owner)
  })

  it.for([
    ['the same sign-in', 'dee-one@example.com'],
    ['another sign-in of the same provider', 'dee-two@example.com'],
  ] as const)(
    'refuses a second connection by %s',
    async ([_what, second], { signIn, connect, disconnect }) => {
      const dee = await signIn.member(`of-${second}`)
      await connect(dee, newPerson('dee-one@example.com'))
      expect(failureOf(await connect(dee, newPerson(second))).code).toBe('account-already-connected')
      const accounts = await signIn.accountsOf(dee.email)
      await disconnect(dee)
      expect(accounts).toMatchObject([{ providers: ['local'] }])
    },
  )

  it('connects one of two concurrent sign-ins', async ({ signIn, connect }) => {
    const eve = await signIn.member('eve@example.com')
    const ends = await Promise.all([
      connect(eve, newPerson('eve-one@example.com')),
      connect(eve, newPerson('eve-two@example.com')),
    ])
    expect(ends.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await signIn.accountsOf('eve@example.com')).toMatchObject([{ providers: ['local'] }])
  })

  it('creates no account, even with allowSignup', async ({ signIn }) => {
    const fay = await signIn.member('fay@example.com')
    const query = signIn.query('local', {
      member: fay.token,
      allowSignup: 'true',
      customFields: '{"name":"x"}',
    })
    await signIn.browser().visit('connect', query, newPerson('fay-elsewhere@example.com'))
    expect(await signIn.accountsOf('fay-elsewhere@example.com')).toEqual([])
  })
})

describe('POST /member/disconnect-provider', () => {
  it('disconnects a provider and returns the remaining ones', async ({
    signIn,
    members,
    connect,
    disconnect,
  }) => {
    const gil = await signIn.member('gil@example.com')
    const person = newPerson('gil-elsewhere@example.com')
    await connect(gil, person)
    await connect(gil, person, 'spare')
    const before = await members.call('GET', '/member', { headers: gil.headers })
    expect(before.json().data.auth.providers).toHaveLength(2)
    const reply = await disconnect(gil)
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.json()).toEqual({
      data: { providers: [{ provider: 'spare' }] },
      _internalUseOnly: { message: 'You can no longer log in this way.' },
    })
    const { data } = (await members.call('GET', '/member', { headers: gil.headers })).json()
    expect(data.auth.providers).toEqual([{ provider: 'spare' }])
    const end = await signIn.browser().visit('login', signIn.query('local'), person)
    expect(failureOf(end).code).toBe('account-not-found')
  })

  it.for(['local', 'unknown', '__proto__'])(
    'refuses %j, which is not connected',
    async (provider, { signIn, disconnect }) => {
      const hal = await signIn.member(`hal-${provider}@example.com`)
      expect(refusalOf(await disconnect(hal, provider))).toMatchObject({
        status: 404,
        code: 'account-not-connected',
      })
    },
  )

  it('refuses to remove the last login method until the account has a password', async ({
    members,
    disconnect,
    signUpByProvider,
  }) => {
    const ida = await signUpByProvider('ida@example.com')
    expect(refusalOf(await disconnect(ida))).toMatchObject({
      status: 409,
      code: 'account-set-password-before-disconnect',
    })
    const body = { password: 'a-long-password' }
    const set = await members.call('POST', '/member/set-password', { headers: ida.headers, body })
    expect(set.statusCode).toBe(200)
    expect((await disconnect(ida)).statusCode).toBe(200)
    expect((await members.logIn({ email: 'ida@example.com' })).member.id).toBe(ida.id)
  })

  it('keeps one of two providers that are disconnected concurrently', async ({
    signIn,
    connect,
    disconnect,
    signUpByProvider,
  }) => {
    const jo = await signUpByProvider('jo@example.com')
    await connect(jo, newPerson('jo@example.com'), 'spare')
    const replies = await Promise.all([disconnect(jo), disconnect(jo, 'spare')])
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    const [account] = await signIn.accountsOf('jo@example.com')
    expect(account?.providers).toHaveLength(1)
  })

  it('refuses a visitor', async ({ members, disconnect }) => {
    const { visitor: headers } = members
    expect(refusalOf(await disconnect({ headers }))).toMatchObject({ status: 401, code: 'login-required' })
  })

  it('refuses an ended session', async ({ signIn, members, disconnect }) => {
    const headers = { ...members.visitor, authorization: `Bearer ${await endedToken(signIn)}` }
    expect(refusalOf(await disconnect({ headers }))).toMatchObject({
      status: 401,
      code: 'client/invalid-token',
    })
  })

  it('requires the name of a provider', async ({ signIn, members }) => {
    const kim = await signIn.member('kim@example.com')
    const reply = await members.call('POST', '/member/disconnect-provider', {
      headers: kim.headers,
      body: {},
    })
    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'required-field-missing' })
  })
})
