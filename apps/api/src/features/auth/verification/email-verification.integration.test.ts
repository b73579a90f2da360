import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { addPushDevice, verifyNumber } from '#test/factories/recipients.ts'
import { secondProcess, signInTest } from '#test/fixtures.ts'
import { queueUp } from '#test/row-locks.ts'
import { createCodeFlows, newPassword } from '#test/sign-in/code-flows.ts'
import { newPerson } from '#test/sign-in/popups.ts'
import { createSquatting, type Origin } from '#test/sign-in/squatted-accounts.ts'
import { sessionOf } from '#test/sites/sign-in-site.ts'

const it = signInTest()
  .extend('second', { scope: 'file' }, secondProcess())
  .extend('inbox', { scope: 'file' }, ({ signIn }) => signIn.inbox)
  .extend('flows', { scope: 'file' }, ({ site, inbox }) => createCodeFlows(site, inbox))
  .extend('squatting', { scope: 'file' }, ({ signIn, second, flows }) =>
    createSquatting(signIn, { second, flows }),
  )

let made = 0
const addressOf = (name: string) => {
  made += 1
  return `${name.replaceAll(/[^a-z]+/g, '-')}-${made}@example.com`
}

describe('an account created by an attacker', () => {
  it.for<[string, Origin]>([
    ['a login code', 'a sign-up'],
    ['a passwordless sign-up', 'a sign-up'],
    ['a reset', 'a sign-up'],
    ['a verification with a new password', 'a sign-up'],
    ['a login by a provider', 'a sign-up'],
    ['a sign-up by a provider', 'a sign-up'],
    ['a login code', 'an address change'],
    ['a login by a provider', 'an address change'],
  ])(
    'loses every login method of the attacker after %s, when the address came from %s',
    async ([proof, by], { signIn, inbox, squatting }) => {
      const email = addressOf(proof)
      const account = await squatting.squat(email, by)
      const headers = await squatting.proofs[proof]?.(email)
      expect(await squatting.memberIdOf(headers ?? {})).toBe(account.memberId)
      const [row] = await signIn.accountsOf(email)
      expect(row).toMatchObject({ id: account.memberId, verified: true })
      await squatting.expectLockedOut(account)
      const mail = await inbox.mailTo(email, 'Your account is secured')
      expect(mail.subject).toBe('We secured your Tidings account')
      expect(mail.text).toContain('Tidings ID')
      expect(mail.text).not.toContain(account.attacker)
    },
  )
})

describe('the verified number of an account, and its browsers with notifications,', () => {
  it.for(['a login code', 'a reset', 'a login by a provider'])(
    'are removed by %s, the first proof of the address',
    async (proof, { site, inbox, squatting }) => {
      const email = addressOf(proof)
      const { memberId } = await squatting.squat(email)
      await verifyNumber(site, memberId, { number: '+12025550123' })
      await addPushDevice(site, memberId)
      await squatting.proofs[proof]?.(email)
      expect(await site.context.database.db.memberPhone.findUnique({ where: { memberId } })).toBeNull()
      expect(await site.context.database.db.pushDevice.count({ where: { memberId } })).toBe(0)
      const { text } = await inbox.mailTo(email, 'Your account is secured')
      expect(text).toContain('Number for texts')
      expect(text).toMatch(/Notifications\W+turned off/)
    },
  )

  it('are named in the email when nothing else was removed', async ({ site, inbox, squatting }) => {
    const email = addressOf('browser')
    const { memberId } = await squatting.squat(email)
    const { db } = site.context.database
    await db.member.update({ where: { id: memberId }, data: { passwordHash: null } })

    await db.memberSession.deleteMany({ where: { memberId } })
    await addPushDevice(site, memberId)
    await squatting.proofs['a login code']?.(email)
    const { text } = await inbox.mailTo(email, 'Your account is secured')
    expect(text).toMatch(/Notifications\W+turned off/)
    expect(text).not.toContain('Devices')
  })

  it('stay when the session verifies the address', async ({ site, members, inbox, flows, squatting }) => {
    const { email, memberId, headers } = await squatting.squat(addressOf('number'))
    await verifyNumber(site, memberId, { number: '+12025550124' })
    await addPushDevice(site, memberId)
    const body = { email, code: await squatting.verificationCode(email) }
    expect((await members.call('POST', '/auth/verify-email', { headers, body })).statusCode).toBe(200)
    expect(await site.context.database.db.memberPhone.count({ where: { memberId } })).toBe(1)
    expect(await site.context.database.db.pushDevice.count({ where: { memberId } })).toBe(1)
    await flows.mailed()
    expect(await inbox.mailsTo(email, 'secured')).toEqual([])
  })
})

describe('POST /auth/verify-email', () => {
  it.for(['the session', 'the password'] as const)(
    'keeps every session, the password and the providers with %s, and sends no email',
    async (proof, { signIn, members, inbox, flows, squatting }) => {
      const account = await squatting.squat(addressOf(`own-${proof}`))
      const { email, password } = account
      const code = await squatting.verificationCode(email)
      const reply = await members.call('POST', '/auth/verify-email', {
        ...(proof === 'the session' ? { headers: account.headers } : {}),
        body: proof === 'the session' ? { email, code } : { email, code, password },
      })
      expect(reply.statusCode).toBe(200)
      for (const headers of account.sessions)
        expect(await squatting.memberIdOf(headers)).toBe(account.memberId)
      expect((await members.logIn(account)).member).toMatchObject({ verified: true })
      expect(await signIn.accountsOf(email)).toMatchObject([{ providers: ['local'] }])
      await flows.mailed()
      expect(await inbox.mailsTo(email, 'secured')).toEqual([])
    },
  )

  it('keeps the providers of an account without a password, and sends no email when nothing is removed', async ({
    signIn,
    members,
    inbox,
    flows,
    squatting,
  }) => {
    const email = addressOf('by-provider')
    const session = sessionOf(await squatting.visit('signup', newPerson(email, { verified: false })))
    const body = { email, code: await squatting.verificationCode(email) }
    const headers = members.headersOf(session)
    expect((await members.call('POST', '/auth/verify-email', { headers, body })).statusCode).toBe(200)
    expect(await signIn.accountsOf(email)).toMatchObject([{ verified: true, providers: ['local'] }])
    await flows.mailed()
    expect(await inbox.mailsTo(email, 'secured')).toEqual([])
  })

  it.for<[string, { caller: 'visitor' | 'other member'; extra?: object; code: string }]>([
    ['no password', { caller: 'visitor', code: 'required-field-missing' }],
    ["another member's session", { caller: 'other member', code: 'required-field-missing' }],
    [
      'a wrong password',
      { caller: 'visitor', extra: { password: 'not-the-password' }, code: 'invalid-credentials' },
    ],
    [
      'a short new password',
      { caller: 'visitor', extra: { newPassword: 'short' }, code: 'invalid-password-too-short' },
    ],
  ])(
    'refuses %s and changes nothing',
    async ([what, { caller, extra, code }], { signIn, members, squatting }) => {
      const account = await squatting.squat(addressOf(what))
      const other = await members.signUp({ email: addressOf('other') })
      const body = { email: account.email, code: await squatting.verificationCode(account.email), ...extra }
      const headers = caller === 'visitor' ? members.visitor : other.headers
      const reply = await members.call('POST', '/auth/verify-email', { headers, body })
      expect(refusalOf(reply)).toMatchObject({ status: 400, code })
      expect(await signIn.accountsOf(account.email)).toMatchObject([
        { verified: false, providers: ['local'] },
      ])
      const { email, code: digits } = body
      const right = { email, code: digits, newPassword }
      expect((await members.call('POST', '/auth/verify-email', { body: right })).statusCode).toBe(200)
    },
  )
})

describe('a verified address', () => {
  it.for(['a login code', 'a passwordless sign-up', 'a login by a provider'])(
    'keeps every session and login method after %s',
    async (proof, { members, squatting }) => {
      const email = addressOf(`proved-${proof}`)
      const account = await squatting.squat(email)
      await squatting.markVerified(account.memberId)
      // The local provider knows this address as another person, so this login uses GitHub.
      if (proof === 'a login by a provider') await squatting.visit('login', newPerson(email), 'github')
      else await squatting.proofs[proof]?.(email)
      for (const headers of account.sessions)
        expect(await squatting.memberIdOf(headers)).toBe(account.memberId)
      expect((await members.logIn(account)).member.auth.hasPassword).toBe(true)
      expect(sessionOf(await squatting.visit('login', newPerson(account.attacker))).member.id).toBe(
        account.memberId,
      )
    },
  )
})

describe('an attacker who races the first verification', () => {
  const before = [
    'logs in',
    'logs in by a provider',
    'connects a provider',
    'changes the password',
    'sets a password',
  ]
  const after = [...before, 'changes the address']
  it.for([
    ...after.map((attack) => ['after', attack] as const),
    ...before.map((attack) => ['before', attack] as const),
  ])(
    'keeps no access when, right %s it, the attacker %s',
    async ([order, attack], { site, flows, squatting }) => {
      const email = addressOf(`${order}-${attack}`)
      const account = await squatting.squat(email)
      const { db } = site.context.database
      if (attack === 'sets a password') {
        await db.member.update({ where: { id: account.memberId }, data: { passwordHash: null } })
      }
      await flows.ask('login', email)
      const code = await squatting.mailedCode(email, 'Your login code')
      const act = await squatting.attacks[attack]?.(account)
      const prove = () => flows.use('login', email, code)
      const calls = order === 'after' ? [prove, act ?? prove] : [act ?? prove, prove]
      await queueUp(site, account.memberId, calls)
      const row = await db.member.findUniqueOrThrow({
        where: { id: account.memberId },
        include: { identities: true, sessions: true },
      })
      expect(row).toMatchObject({ email, verified: true, passwordHash: null, identities: [] })
      expect(row.sessions).toHaveLength(1)
      await squatting.expectLockedOut(account)
    },
  )
})
