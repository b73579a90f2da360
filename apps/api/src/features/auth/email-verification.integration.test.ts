import { signIn } from '@tidings/emulators/identity/sign-in'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CodeFlows, createCodeFlows, newPassword } from '#test/code-flows.ts'
import { refusalOf } from '#test/desk.ts'
import { codeIn } from '#test/inbox.ts'
import { createTestMembers, readSession, type TestMember, type TestMembers } from '#test/membership.ts'
import { hearAll } from '#test/other-processes.ts'
import { failureOf, type PopupEnd, somebody } from '#test/popups.ts'
import { queueUp } from '#test/row-locks.ts'
import { type SignInSite, sessionOf, startSignInSite } from '#test/sign-in-site.ts'
import { startTestApp, type TestApp } from '#test/test-app.ts'

let at: SignInSite
let second: TestApp
let elsewhere: TestMembers
let flows: CodeFlows
beforeAll(async () => {
  at = await startSignInSite()
  const { database } = at.site.context.config
  second = await startTestApp({ databaseUrl: database.url, env: { SMTP_URL: at.emulators.smtpUrl } })
  elsewhere = createTestMembers(second)
  flows = createCodeFlows(at.site, at.inbox)
})
afterAll(async () => {
  await second.close()
  await at.close()
})

/** An account that an attacker made with the address of another person. */
type Squat = TestMember & { attacker: string; sessions: Record<string, string>[] }

type Origin = 'sign-up' | 'change of address'

let made = 0
const addressOf = (name: string) => {
  made += 1
  return `${name.replaceAll(/[^a-z]+/g, '-')}-${made}@example.com`
}
const visit = (mode: string, person: Record<string, string>, provider = 'local'): Promise<PopupEnd> =>
  at.browser().visit(mode, at.query(provider), person)
const connect = (token: string, person: Record<string, string>, provider = 'local') =>
  at.browser().visit('connect', at.query(provider, { member: token }), person)

/** Signs up with the victim's address, or changes an account's address to it, and leaves all ways in. */
async function squat(victim: string, by: Origin = 'sign-up'): Promise<Squat> {
  const attacker = `attacker-of-${victim}`
  const member = await at.members.signUp({ email: by === 'sign-up' ? victim : `before-${attacker}` })
  await connect(member.token, somebody(attacker))
  if (by !== 'sign-up') {
    const { headers } = member
    await proveNow(member.memberId)
    await at.members.call('POST', '/member-auth', { headers, body: { email: victim } })
  }
  const other = await at.members.logIn({ email: victim })
  const sessions = [member.headers, at.members.headersOf(other)]
  // Every process knows the sessions before they end.
  for (const headers of sessions) await whoIs(elsewhere, headers)
  return { ...member, email: victim, attacker, sessions }
}

async function proveNow(id: string): Promise<void> {
  await at.site.context.database.db.member.update({ where: { id }, data: { verified: true } })
}

async function whoIs(members: TestMembers, headers: Record<string, string>): Promise<string | null> {
  const { data } = (await members.call('GET', '/member', { headers })).json()
  return data === null ? null : data.id
}

async function expectShut({ email, password, attacker, sessions }: Squat): Promise<void> {
  await hearAll(second)
  for (const headers of sessions) {
    expect(await whoIs(at.members, headers)).toBeNull()
    expect(await whoIs(elsewhere, headers)).toBeNull()
  }
  const login = await at.members.call('POST', '/auth/login', { body: { email, password } })
  expect(refusalOf(login)).toMatchObject({ status: 401, code: 'invalid-credentials' })
  expect(failureOf(await visit('login', somebody(attacker))).code).toBe('account-not-found')
}

/** The code of the newest email with these words in it, which the call before has asked for. */
async function mailedCode(email: string, words: string): Promise<string> {
  return codeIn(await at.inbox.mailTo(email, words))
}

/** Every way to prove an address for the first time without what the account had before. */
const ways: Record<string, (email: string) => Promise<Record<string, string> | null>> = {
  async 'a login code'(email) {
    await flows.ask('login', email)
    return sessionFrom(await flows.use('login', email, await mailedCode(email, 'Your login code')))
  },
  async 'a passwordless sign-up'(email) {
    await flows.ask('signup', email)
    const code = await mailedCode(email, 'You already have an account')
    return sessionFrom(await flows.use('signup', email, code))
  },
  async 'a reset'(email) {
    await flows.ask('reset', email)
    await flows.use('reset', email, await mailedCode(email, 'Your password reset code'))
    return at.members.headersOf(await at.members.logIn({ email, password: newPassword }))
  },
  async 'a verification with a new password'(email) {
    const body = { email, code: await verificationCode(email), newPassword }
    expect((await at.members.call('POST', '/auth/verify-email', { body })).statusCode).toBe(200)
    return at.members.headersOf(await at.members.logIn({ email, password: newPassword }))
  },
  'a login by a provider': async (email) =>
    at.members.headersOf(sessionOf(await visit('login', somebody(email)))),
  'a sign-up by a provider': async (email) =>
    at.members.headersOf(sessionOf(await visit('signup', somebody(email), 'github'))),
}

const verificationCode = (email: string) => mailedCode(email, 'Confirm your email address')

function sessionFrom(reply: Parameters<typeof readSession>[0]): Record<string, string> {
  return at.members.headersOf(readSession(reply))
}

describe('an account of another person', () => {
  it.each<[string, Origin]>([
    ...Object.keys(ways).map<[string, Origin]>((way) => [way, 'sign-up']),
    ['a login code', 'change of address'],
    ['a login by a provider', 'change of address'],
  ])('keeps nothing of them after %s, when they got the address by %s', async (way, by) => {
    const email = addressOf(way)
    const account = await squat(email, by)
    const headers = await ways[way]?.(email)
    expect(await whoIs(at.members, headers ?? {})).toBe(account.memberId)
    const [row] = await at.accountsOf(email)
    expect(row).toMatchObject({ id: account.memberId, verified: true })
    await expectShut(account)
    const mail = await at.inbox.mailTo(email, 'Your account is secured')
    expect(mail.subject).toBe('We secured your Tidings account')
    expect(mail.text).toContain('Tidings ID')
    expect(mail.text).not.toContain(account.attacker)
  })
})

describe('POST /auth/verify-email', () => {
  it('keeps the session that sends it and its password, and nothing else', async () => {
    const account = await squat(addressOf('own'))
    const body = { email: account.email, code: await verificationCode(account.email) }
    const reply = await at.members.call('POST', '/auth/verify-email', { headers: account.headers, body })
    expect(reply.statusCode).toBe(200)
    const [own, other = {}] = account.sessions
    expect(await whoIs(at.members, own ?? {})).toBe(account.memberId)
    expect(await whoIs(at.members, other)).toBeNull()
    expect((await at.members.logIn(account)).member.auth).toMatchObject({ hasPassword: true, providers: [] })
    const mail = await at.inbox.mailTo(account.email, 'Your account is secured')
    expect(mail.text).toContain('1 logged out')
    expect(mail.text).not.toContain('Password:')
  })

  it('keeps the providers of an account without a password, and sends no email when nothing is removed', async () => {
    const email = addressOf('by-provider')
    const session = sessionOf(await visit('signup', somebody(email, { verified: false })))
    const body = { email, code: await verificationCode(email) }
    const headers = at.members.headersOf(session)
    expect((await at.members.call('POST', '/auth/verify-email', { headers, body })).statusCode).toBe(200)
    expect(await at.accountsOf(email)).toMatchObject([{ verified: true, providers: ['local'] }])
    await flows.mailed()
    expect(await at.inbox.mailsTo(email, 'secured')).toEqual([])
  })

  it('keeps the password that comes with it, without a session', async () => {
    const account = await squat(addressOf('password'))
    const { email, password } = account
    const body = { email, code: await verificationCode(email), password }
    expect((await at.members.call('POST', '/auth/verify-email', { body })).statusCode).toBe(200)
    for (const headers of account.sessions) expect(await whoIs(at.members, headers)).toBeNull()
    expect((await at.members.logIn({ email, password })).member).toMatchObject({ verified: true })
    expect(await at.accountsOf(email)).toMatchObject([{ providers: [] }])
  })

  it.each<[string, object, (account: Squat, other: TestMember) => Record<string, string>, string]>([
    ['no password', {}, () => at.members.visitor, 'required-field-missing'],
    ["another member's session", {}, (_account, other) => other.headers, 'required-field-missing'],
    ['a wrong password', { password: 'not-the-password' }, () => at.members.visitor, 'invalid-credentials'],
    [
      'a short new password',
      { newPassword: 'short' },
      () => at.members.visitor,
      'invalid-password-too-short',
    ],
  ])('refuses %s, and changes nothing', async (what, extra, headersOf, code) => {
    const account = await squat(addressOf(what))
    const other = await at.members.signUp({ email: addressOf('other') })
    const body = { email: account.email, code: await verificationCode(account.email), ...extra }
    const headers = headersOf(account, other)
    const reply = await at.members.call('POST', '/auth/verify-email', { headers, body })
    expect(refusalOf(reply)).toMatchObject({ status: 400, code })
    expect(await at.accountsOf(account.email)).toMatchObject([{ verified: false, providers: ['local'] }])
    const { email, code: digits } = body
    const right = { email, code: digits, newPassword }
    expect((await at.members.call('POST', '/auth/verify-email', { body: right })).statusCode).toBe(200)
  })
})

describe('an address that is proved already', () => {
  it.each(['a login code', 'a passwordless sign-up', 'a login by a provider'])(
    'loses nothing by %s',
    async (way) => {
      const email = addressOf(`proved-${way}`)
      const account = await squat(email)
      await proveNow(account.memberId)
      // The provider knows another person of this address already, so this one comes by another.
      if (way === 'a login by a provider') await visit('login', somebody(email), 'github')
      else await ways[way]?.(email)
      for (const headers of account.sessions) expect(await whoIs(at.members, headers)).toBe(account.memberId)
      expect((await at.members.logIn(account)).member.auth.hasPassword).toBe(true)
      expect(sessionOf(await visit('login', somebody(account.attacker))).member.id).toBe(account.memberId)
    },
  )
})

/** What an attacker may do at the moment of the first proof; the second part runs once the member's row is held. */
const attacks: Record<string, (account: Squat) => Promise<() => Promise<unknown>>> = {
  'logs in': async (account) => () => at.members.call('POST', '/auth/login', { body: account }),
  async 'logs in by a provider'({ attacker }) {
    const browser = at.browser()
    const { atProvider } = await browser.open('login', at.query('local'))
    const back = await signIn(atProvider, somebody(attacker))
    return () => browser.come(back)
  },
  async 'connects a provider'({ token, attacker }) {
    const browser = at.browser()
    const { atProvider } = await browser.open('connect', at.query('spare', { member: token }))
    const back = await signIn(atProvider, somebody(attacker))
    return () => browser.come(back)
  },
  'changes the password':
    async ({ headers, password }) =>
    () =>
      at.members.call('POST', '/member-auth', {
        headers,
        body: { oldPassword: password, newPassword: 'of-the-attacker' },
      }),
  'sets a password':
    async ({ headers }) =>
    () =>
      at.members.call('POST', '/member/set-password', { headers, body: { password: 'of-the-attacker' } }),
  'changes the address':
    async ({ headers, attacker }) =>
    () =>
      at.members.call('POST', '/member-auth', { headers, body: { email: attacker } }),
}

describe('an attacker at the moment of the first proof', () => {
  const after = Object.keys(attacks).map((attack) => ['after', attack] as const)
  const before = [
    'logs in',
    'logs in by a provider',
    'connects a provider',
    'changes the password',
    'sets a password',
  ]
  it.each([...after, ...before.map((attack) => ['before', attack] as const)])(
    'who comes right %s it and %s keeps nothing',
    async (order, attack) => {
      const email = addressOf(`${order}-${attack}`)
      const account = await squat(email)
      const { db } = at.site.context.database
      if (attack === 'sets a password') {
        await db.member.update({ where: { id: account.memberId }, data: { passwordHash: null } })
      }
      await flows.ask('login', email)
      const code = await mailedCode(email, 'Your login code')
      const act = await attacks[attack]?.(account)
      const prove = () => flows.use('login', email, code)
      const calls = order === 'after' ? [prove, act ?? prove] : [act ?? prove, prove]
      await queueUp(at.site, account.memberId, calls)
      const row = await db.member.findUniqueOrThrow({
        where: { id: account.memberId },
        include: { identities: true, sessions: true },
      })
      expect(row).toMatchObject({ email, verified: true, passwordHash: null, identities: [] })
      expect(row.sessions).toHaveLength(1)
      await expectShut(account)
    },
  )
})
