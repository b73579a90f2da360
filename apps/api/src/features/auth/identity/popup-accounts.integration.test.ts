import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failureOf, type PopupBrowser, type PopupEnd, somebody } from '#test/popups.ts'
import { overtake } from '#test/row-locks.ts'
import { type SignInSite, sessionOf, startSignInSite } from '#test/sign-in-site.ts'
import { waitOptions } from '#test/wait-options.ts'

let at: SignInSite
beforeAll(async () => {
  at = await startSignInSite()
})
afterAll(() => at.close())

const visit = (
  mode: string,
  person: Record<string, string>,
  { provider = 'local', browser = at.browser() }: { provider?: string; browser?: PopupBrowser } = {},
): Promise<PopupEnd> => browser.visit(mode, at.query(provider), person)

const subjectsTo = (email: string) => at.subjectsTo(email)

describe('an address that has an account already', () => {
  it.each([
    ['signup', 'local', 'not verified', 'verified'],
    ['signup', 'github', 'not verified', 'verified'],
    ['signup', 'local', 'not verified', 'not verified'],
  ])('%s by %s, with an address that is %s there, does not open one that is %s here', async (...of) => {
    const [mode, provider, there, here] = of
    const email = `${mode}-${provider}-${there}-${here}@example.com`.replaceAll(' ', '-')
    const { memberId } = await at.member(email, { verified: here === 'verified' })
    const end = await visit(mode, somebody(email, { verified: there === 'verified' }), { provider })
    expect(failureOf(end)).toEqual({
      code: 'use-email-login',
      message: 'This email already has an account. Log in with it first, then connect this sign-in.',
    })
    expect(await at.accountsOf(email)).toEqual([
      { id: memberId, verified: here === 'verified', providers: [] },
    ])
    expect(await subjectsTo(email)).not.toContain('You can now log in to Tidings with Tidings ID')
  })

  it('is account-not-found at a login with an unverified address, whether or not it has an account', async () => {
    const { email } = await at.member('quiet@example.com')
    const known = await visit('login', somebody(email, { verified: false }))
    const unknown = await visit('login', somebody('quiet-unknown@example.com', { verified: false }))
    expect(failureOf(known).code).toBe('account-not-found')
    expect(known).toMatchObject({ status: unknown.status, message: unknown.message })
    expect(await at.accountsOf(email)).toMatchObject([{ providers: [] }])
  })

  it.each(['login', 'signup'])(
    '%s opens the account when both have made sure of it, and tells so by mail',
    async (mode) => {
      const email = `sure-${mode}@example.com`
      const { memberId } = await at.member(email)
      const { member } = sessionOf(await visit(mode, somebody(email)))
      expect(member.id).toBe(memberId)
      expect(member.auth).toEqual({ email, hasPassword: true, providers: [{ provider: 'local' }] })
      await expect
        .poll(() => subjectsTo(email), waitOptions)
        .toContain('You can now log in to Tidings with Tidings ID')
    },
  )

  it('is known in every spelling', async () => {
    const { memberId } = await at.member('spelt@example.com')
    expect(sessionOf(await visit('login', somebody('SPELT@Example.COM'))).member.id).toBe(memberId)
  })

  it('is connected once, by one mail, however often and in however many popups one logs in', async () => {
    const email = 'often@example.com'
    const { memberId } = await at.member(email)
    const atOnce = await Promise.all(Array.from({ length: 4 }, () => visit('login', somebody(email))))
    const ends = [...atOnce, await visit('login', somebody(email))]
    expect(new Set(ends.map((end) => sessionOf(end).member.id))).toEqual(new Set([memberId]))
    expect(await at.accountsOf(email)).toEqual([{ id: memberId, verified: true, providers: ['local'] }])
    await visit('login', somebody(email), { provider: 'spare' })
    await expect
      .poll(() => subjectsTo(email), waitOptions)
      .toContain('You can now log in to Tidings with Spare ID')
    expect((await subjectsTo(email)).filter((subject) => subject.endsWith('with Tidings ID'))).toHaveLength(1)
  })

  it('opens its account through a provider that it is connected to even when that has not verified it', async () => {
    const email = 'unsure@example.com'
    await at.member(email)
    await visit('login', somebody(email))
    const end = await visit('login', somebody(email, { verified: false }))
    expect(sessionOf(end).member.auth.email).toBe(email)
  })

  it('is not taken over by a provider that one account uses and another person has', async () => {
    const email = 'two-people@example.com'
    const { memberId } = await at.member(email)
    await visit('login', somebody(email))
    const { db } = at.site.context.database
    // As if the provider had given the address to somebody new.
    await db.memberIdentity.updateMany({ where: { memberId }, data: { subject: 'who-had-it-before' } })
    expect(failureOf(await visit('login', somebody(email))).code).toBe('account-already-connected')
  })
})

describe('a newcomer whose address the provider has not verified', () => {
  it('has an account that says so, and a mail asks to verify', async () => {
    const email = 'cleo-like@example.com'
    const { member } = sessionOf(await visit('signup', somebody(email, { verified: false })))
    expect(member.verified).toBe(false)
    await expect
      .poll(() => subjectsTo(email), waitOptions)
      .toEqual([expect.stringMatching(/^\d{6} is your Tidings email verification code$/)])
  })

  it('counts as verified once the provider says so at a login', async () => {
    const email = 'later@example.com'
    await visit('signup', somebody(email, { verified: false }))
    expect(sessionOf(await visit('login', somebody(email, { verified: false }))).member.verified).toBe(false)
    const { member, tokens } = sessionOf(await visit('login', somebody(email)))
    expect(member.verified).toBe(true)
    const headers = { ...at.members.visitor, authorization: `Bearer ${tokens.accessToken}` }
    const known = await at.members.call('GET', '/member', { headers })
    expect(known.json().data.verified).toBe(true)
  })

  it('does not count as verified for another address than the member has by now', async () => {
    const { member } = sessionOf(await visit('signup', somebody('first@example.com', { verified: false })))
    const { db } = at.site.context.database
    await db.member.update({ where: { id: member.id }, data: { email: 'second@example.com' } })
    const later = sessionOf(await visit('login', somebody('first@example.com'))).member
    expect(later).toMatchObject({ id: member.id, verified: false, auth: { email: 'second@example.com' } })
  })

  it('nor for one that the member takes in this very moment', async () => {
    const { member } = sessionOf(await visit('signup', somebody('moving@example.com', { verified: false })))
    const later = await overtake(at.site, {
      sql: 'UPDATE member SET email = $1 WHERE id = $2',
      values: ['moved@example.com', member.id],
      begin: () => visit('login', somebody('moving@example.com')),
    })
    expect(sessionOf(later).member).toMatchObject({
      id: member.id,
      verified: false,
      auth: { email: 'moved@example.com' },
    })
  })
})

describe('a newcomer whose address is verified', () => {
  it('is asked for nothing more', async () => {
    const email = 'settled@example.com'
    await visit('signup', somebody(email))
    // Mailed after what would have been mailed before it.
    const { email: other } = await at.members.signUp({ email: 'after-settled@example.com' })
    await expect.poll(() => subjectsTo(other), waitOptions).toHaveLength(1)
    const { db } = at.site.context.database
    expect(await db.oneTimeCode.count({ where: { email } })).toBe(0)
    expect(await subjectsTo(email)).toEqual([])
  })
})

describe('an address that is none here', () => {
  it('signs nobody up', async () => {
    const end = await visit('signup', somebody('somebody@localhost'))
    expect(failureOf(end).code).toBe('account-connect-failed')
    expect(await at.accountsOf('somebody@localhost')).toEqual([])
  })
})
