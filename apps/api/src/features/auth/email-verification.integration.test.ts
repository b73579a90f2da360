import { signIn } from '@tidings/emulators/identity/sign-in'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CodeFlows, createCodeFlows, newPassword } from '#test/code-flows.ts'
import { refusalOf } from '#test/desk.ts'
import { codeIn } from '#test/inbox.ts'
import { createTestMembers, readSession, type TestMember, type TestMembers } from '#test/membership.ts'
import { waitForNotifications } from '#test/other-processes.ts'
import { failureOf, newPerson, type PopupEnd } from '#test/popups.ts'
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

/** An account that an attacker created with the victim's address, and its sessions. */
type SquattedAccount = TestMember & { attacker: string; sessions: Record<string, string>[] }

type Origin = 'sign-up' | 'address change'

let made = 0
const addressOf = (name: string) => {
  made += 1
  return `${name.replaceAll(/[^a-z]+/g, '-')}-${made}@example.com`
}
const visit = (mode: string, person: Record<string, string>, provider = 'local'): Promise<PopupEnd> =>
  at.browser().visit(mode, at.query(provider), person)
const connect = (token: string, person: Record<string, string>, provider = 'local') =>
  at.browser().visit('connect', at.query(provider, { member: token }), person)

/** Signs up with the victim's address, or changes to it, and keeps every login method. */
async function squat(victim: string, by: Origin = 'sign-up'): Promise<SquattedAccount> {
  const attacker = `attacker-of-${victim}`
  const member = await at.members.signUp({ email: by === 'sign-up' ? victim : `before-${attacker}` })
  await connect(member.token, newPerson(attacker))
  if (by !== 'sign-up') {
    const { headers } = member
    await markVerified(member.memberId)
    await at.members.call('POST', '/member-auth', { headers, body: { email: victim } })
  }
  const other = await at.members.logIn({ email: victim })
  const sessions = [member.headers, at.members.headersOf(other)]
  // Both processes cache the sessions before they end.
  for (const headers of sessions) await memberIdOf(elsewhere, headers)
  return { ...member, email: victim, attacker, sessions }
}

async function markVerified(id: string): Promise<void> {
  await at.site.context.database.db.member.update({ where: { id }, data: { verified: true } })
}

async function memberIdOf(members: TestMembers, headers: Record<string, string>): Promise<string | null> {
  const { data } = (await members.call('GET', '/member', { headers })).json()
  return data === null ? null : data.id
}

async function expectLockedOut({ email, password, attacker, sessions }: SquattedAccount): Promise<void> {
  await waitForNotifications(second)
  for (const headers of sessions) {
    expect(await memberIdOf(at.members, headers)).toBeNull()
    expect(await memberIdOf(elsewhere, headers)).toBeNull()
  }
  const login = await at.members.call('POST', '/auth/login', { body: { email, password } })
  expect(refusalOf(login)).toMatchObject({ status: 401, code: 'invalid-credentials' })
  expect(failureOf(await visit('login', newPerson(attacker))).code).toBe('account-not-found')
}

/** Returns the code of the newest email that contains the words. */
async function mailedCode(email: string, words: string): Promise<string> {
  return codeIn(await at.inbox.mailTo(email, words))
}

/** Each first verification of an address without the account's credentials. */
const proofs: Record<string, (email: string) => Promise<Record<string, string> | null>> = {
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
    at.members.headersOf(sessionOf(await visit('login', newPerson(email)))),
  'a sign-up by a provider': async (email) =>
    at.members.headersOf(sessionOf(await visit('signup', newPerson(email), 'github'))),
}

const verificationCode = (email: string) => mailedCode(email, 'Confirm your email address')

function sessionFrom(reply: Parameters<typeof readSession>[0]): Record<string, string> {
  return at.members.headersOf(readSession(reply))
}

describe('an account created by an attacker', () => {
  it.each<[string, Origin]>([
    ...Object.keys(proofs).map<[string, Origin]>((proof) => [proof, 'sign-up']),
    ['a login code', 'address change'],
    ['a login by a provider', 'address change'],
  ])(
    'loses every login method of the attacker after %s, when the address came from a %s',
    async (proof, by) => {
      const email = addressOf(proof)
      const account = await squat(email, by)
      const headers = await proofs[proof]?.(email)
      expect(await memberIdOf(at.members, headers ?? {})).toBe(account.memberId)
      const [row] = await at.accountsOf(email)
      expect(row).toMatchObject({ id: account.memberId, verified: true })
      await expectLockedOut(account)
      const mail = await at.inbox.mailTo(email, 'Your account is secured')
      expect(mail.subject).toBe('We secured your Tidings account')
      expect(mail.text).toContain('Tidings ID')
      expect(mail.text).not.toContain(account.attacker)
    },
  )
})

describe('POST /auth/verify-email', () => {
  it('keeps only the session that sends the code, and the password', async () => {
    const account = await squat(addressOf('own'))
    const body = { email: account.email, code: await verificationCode(account.email) }
    const reply = await at.members.call('POST', '/auth/verify-email', { headers: account.headers, body })
    expect(reply.statusCode).toBe(200)
    const [own, other = {}] = account.sessions
    expect(await memberIdOf(at.members, own ?? {})).toBe(account.memberId)
    expect(await memberIdOf(at.members, other)).toBeNull()
    expect((await at.members.logIn(account)).member.auth).toMatchObject({ hasPassword: true, providers: [] })
    const mail = await at.inbox.mailTo(account.email, 'Your account is secured')
    expect(mail.text).toContain('1 logged out')
    expect(mail.text).not.toContain('Password:')
  })

  it('keeps the providers of an account without a password, and sends no email when nothing is removed', async () => {
    const email = addressOf('by-provider')
    const session = sessionOf(await visit('signup', newPerson(email, { verified: false })))
    const body = { email, code: await verificationCode(email) }
    const headers = at.members.headersOf(session)
    expect((await at.members.call('POST', '/auth/verify-email', { headers, body })).statusCode).toBe(200)
    expect(await at.accountsOf(email)).toMatchObject([{ verified: true, providers: ['local'] }])
    await flows.mailed()
    expect(await at.inbox.mailsTo(email, 'secured')).toEqual([])
  })

  it('keeps the password that is sent with the code, without a session', async () => {
    const account = await squat(addressOf('password'))
    const { email, password } = account
    const body = { email, code: await verificationCode(email), password }
    expect((await at.members.call('POST', '/auth/verify-email', { body })).statusCode).toBe(200)
    for (const headers of account.sessions) expect(await memberIdOf(at.members, headers)).toBeNull()
    expect((await at.members.logIn({ email, password })).member).toMatchObject({ verified: true })
    expect(await at.accountsOf(email)).toMatchObject([{ providers: [] }])
  })

  it.each<[string, object, (account: SquattedAccount, other: TestMember) => Record<string, string>, string]>([
    ['no password', {}, () => at.members.visitor, 'required-field-missing'],
    ["another member's session", {}, (_account, other) => other.headers, 'required-field-missing'],
    ['a wrong password', { password: 'not-the-password' }, () => at.members.visitor, 'invalid-credentials'],
    [
      'a short new password',
      { newPassword: 'short' },
      () => at.members.visitor,
      'invalid-password-too-short',
    ],
  ])('refuses %s and changes nothing', async (what, extra, headersOf, code) => {
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

describe('a verified address', () => {
  it.each(['a login code', 'a passwordless sign-up', 'a login by a provider'])(
    'keeps every session and login method after %s',
    async (proof) => {
      const email = addressOf(`proved-${proof}`)
      const account = await squat(email)
      await markVerified(account.memberId)
      // The local provider knows this address as another person, so this login uses GitHub.
      if (proof === 'a login by a provider') await visit('login', newPerson(email), 'github')
      else await proofs[proof]?.(email)
      for (const headers of account.sessions)
        expect(await memberIdOf(at.members, headers)).toBe(account.memberId)
      expect((await at.members.logIn(account)).member.auth.hasPassword).toBe(true)
      expect(sessionOf(await visit('login', newPerson(account.attacker))).member.id).toBe(account.memberId)
    },
  )
})

/** Attacks on the first verification; the returned function runs once the member's row is locked. */
const attacks: Record<string, (account: SquattedAccount) => Promise<() => Promise<unknown>>> = {
  'logs in': async (account) => () => at.members.call('POST', '/auth/login', { body: account }),
  async 'logs in by a provider'({ attacker }) {
    const browser = at.browser()
    const { atProvider } = await browser.open('login', at.query('local'))
    const back = await signIn(atProvider, newPerson(attacker))
    return () => browser.callback(back)
  },
  async 'connects a provider'({ token, attacker }) {
    const browser = at.browser()
    const { atProvider } = await browser.open('connect', at.query('spare', { member: token }))
    const back = await signIn(atProvider, newPerson(attacker))
    return () => browser.callback(back)
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

describe('an attacker who races the first verification', () => {
  const after = Object.keys(attacks).map((attack) => ['after', attack] as const)
  const before = [
    'logs in',
    'logs in by a provider',
    'connects a provider',
    'changes the password',
    'sets a password',
  ]
  it.each([...after, ...before.map((attack) => ['before', attack] as const)])(
    'keeps no access when, right %s it, the attacker %s',
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
      await expectLockedOut(account)
    },
  )
})
