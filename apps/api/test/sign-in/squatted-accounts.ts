import { createHash } from 'node:crypto'
import { signIn } from '@tidings/emulators/identity/sign-in'
import { expect } from 'vitest'
import { refusalOf } from '../desk.ts'
import { codeIn } from '../mail/inbox.ts'
import { createTestMembers, readSession, type TestMember, type TestMembers } from '../membership.ts'
import { waitForNotifications } from '../other-processes.ts'
import { type SignInSite, sessionOf } from '../sites/sign-in-site.ts'
import type { TestApp } from '../test-app.ts'
import { type CodeFlows, newPassword } from './code-flows.ts'
import { failureOf, newPerson, type PopupEnd } from './popups.ts'

/** An account that an attacker created with the victim's address, and its sessions. */
export type SquattedAccount = TestMember & { attacker: string; sessions: Record<string, string>[] }

const verificationSubject = 'Confirm your email address'

export type Origin = 'a sign-up' | 'an address change'

/** Creates accounts with a victim's address, and verifies and attacks them as the victim and the attacker do. */
export function createSquatting(at: SignInSite, { second, flows }: { second: TestApp; flows: CodeFlows }) {
  const { site, members, inbox } = at
  const { db } = site.context.database
  const elsewhere = createTestMembers(second)

  const visit: Visit = (mode, person, provider = 'local') =>
    at.browser().visit(mode, at.query(provider), person)

  /** Connects the person with this address at the local provider, without a popup and its email. */
  async function connect(memberId: string, email: string): Promise<void> {
    const subject = createHash('sha256').update(email).digest('hex').slice(0, 20)
    const appId = site.context.config.site.appId
    await db.memberIdentity.create({ data: { appId, memberId, provider: 'local', subject } })
  }

  /** Signs up with the victim's address, or changes to it, and keeps every login method. */
  async function squat(victim: string, by: Origin = 'a sign-up'): Promise<SquattedAccount> {
    const attacker = `attacker-of-${victim}`
    const member = await members.signUp({ email: by === 'a sign-up' ? victim : `before-${attacker}` })
    await connect(member.memberId, attacker)
    if (by !== 'a sign-up') {
      const { headers } = member
      await markVerified(member.memberId)
      await members.call('POST', '/member-auth', { headers, body: { email: victim } })
    }
    const other = await members.logIn({ email: victim })
    const sessions = [member.headers, members.headersOf(other)]
    // Both processes cache the sessions before they end.
    for (const headers of sessions) await memberIdOf(elsewhere, headers)
    return { ...member, email: victim, attacker, sessions }
  }

  async function markVerified(id: string): Promise<void> {
    await db.member.update({ where: { id }, data: { verified: true } })
  }

  async function memberIdOf({ call }: TestMembers, headers: Record<string, string>): Promise<string | null> {
    const { data } = (await call('GET', '/member', { headers })).json()
    return data === null ? null : data.id
  }

  async function expectLockedOut({ email, password, attacker, sessions }: SquattedAccount): Promise<void> {
    await waitForNotifications(second)
    for (const headers of sessions) {
      expect(await memberIdOf(members, headers)).toBeNull()
      expect(await memberIdOf(elsewhere, headers)).toBeNull()
    }
    const login = await members.call('POST', '/auth/login', { body: { email, password } })
    expect(refusalOf(login)).toMatchObject({ status: 401, code: 'invalid-credentials' })
    expect(failureOf(await visit('login', newPerson(attacker))).code).toBe('account-not-found')
  }

  /** Returns the code of the newest email that contains the words. */
  async function mailedCode(email: string, words: string): Promise<string> {
    return codeIn(await inbox.mailTo(email, words))
  }

  return {
    visit,
    squat,
    markVerified,
    memberIdOf: (headers: Record<string, string>) => memberIdOf(members, headers),
    expectLockedOut,
    mailedCode,
    verificationCode: (email: string) => mailedCode(email, verificationSubject),
    proofs: createProofs(at, { flows, visit, mailedCode }),
    attacks: createAttacks(at),
  }
}

type Visit = (mode: string, person: Record<string, string>, provider?: string) => Promise<PopupEnd>
type ProofDeps = {
  flows: CodeFlows
  visit: Visit
  mailedCode: (email: string, words: string) => Promise<string>
}
type Proof = (email: string) => Promise<Record<string, string> | null>

/** Returns each first verification of an address without the account's credentials. */
function createProofs({ members }: SignInSite, { flows, visit, mailedCode }: ProofDeps) {
  const sessionFrom = (reply: Parameters<typeof readSession>[0]) => members.headersOf(readSession(reply))

  const proofs: Record<string, Proof> = {
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
      return members.headersOf(await members.logIn({ email, password: newPassword }))
    },
    async 'a verification with a new password'(email) {
      const body = { email, code: await mailedCode(email, verificationSubject), newPassword }
      expect((await members.call('POST', '/auth/verify-email', { body })).statusCode).toBe(200)
      return members.headersOf(await members.logIn({ email, password: newPassword }))
    },
    'a login by a provider': async (email) =>
      members.headersOf(sessionOf(await visit('login', newPerson(email)))),
    'a sign-up by a provider': async (email) =>
      members.headersOf(sessionOf(await visit('signup', newPerson(email), 'github'))),
  }
  return proofs
}

type Attack = (account: SquattedAccount) => Promise<() => Promise<unknown>>

/** Returns attacks on the first verification; the returned function runs once the member's row is locked. */
function createAttacks(at: SignInSite) {
  const { members } = at

  const attacks: Record<string, Attack> = {
    'logs in': async (account) => () => members.call('POST', '/auth/login', { body: account }),
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
        members.call('POST', '/member-auth', {
          headers,
          body: { oldPassword: password, newPassword: 'of-the-attacker' },
        }),
    'sets a password':
      async ({ headers }) =>
      () =>
        members.call('POST', '/member/set-password', { headers, body: { password: 'of-the-attacker' } }),
    'changes the address':
      async ({ headers, attacker }) =>
      () =>
        members.call('POST', '/member-auth', { headers, body: { email: attacker } }),
  }
  return attacks
}
