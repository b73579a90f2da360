import { describe, expect } from 'vitest'
import { signInTest } from '#test/fixtures.ts'
import { overtake } from '#test/row-locks.ts'
import { failureOf, newPerson, type PopupBrowser, type PopupEnd } from '#test/sign-in/popups.ts'
import { sessionOf } from '#test/sites/sign-in-site.ts'
import { waitOptions } from '#test/wait-options.ts'

const it = signInTest().extend(
  'visit',
  { scope: 'file' },
  ({ signIn }) =>
    (
      mode: string,
      person: Record<string, string>,
      { provider = 'local', browser = signIn.browser() }: { provider?: string; browser?: PopupBrowser } = {},
    ): Promise<PopupEnd> => {
      return browser.visit(mode, signIn.query(provider), person)
    },
)

describe('an address whose former account is still being closed', () => {
  it.for<[mode: string, verified: boolean, code: string]>([
    ['signup', true, 'account-closing'],
    ['login', true, 'account-closing'],
    ['signup', false, 'use-email-login'],
    ['login', false, 'account-not-found'],
  ])(
    'is told at %s only to its owner (verified there: %s)',
    async ([mode, verified, code], { signIn, visit, site, db }) => {
      const email = `closing-${mode}-${verified}@example.com`
      const { appId } = site.context.config.site
      const now = site.clock.now()
      const ids = { memberId: `mem_${mode}${verified}`, appId, customerId: 'cus_closing' }
      await db.accountDeletion.create({
        data: { ...ids, email, isProved: false, requestedAt: now, nextAttemptAt: now },
      })
      expect(failureOf(await visit(mode, newPerson(email, { verified }))).code).toBe(code)
      expect(await signIn.accountsOf(email)).toEqual([])
    },
  )
})

describe('an address that already has an account', () => {
  it.for<[mode: string, provider: string, there: string, here: string]>([
    ['signup', 'local', 'not verified', 'verified'],
    ['signup', 'github', 'not verified', 'verified'],
    ['signup', 'local', 'not verified', 'not verified'],
  ])(
    'is not opened at %s by %s with an address that is %s there and %s here',
    async ([mode, provider, there, here], { signIn, visit }) => {
      const email = `${mode}-${provider}-${there}-${here}@example.com`.replaceAll(' ', '-')
      const { memberId } = await signIn.member(email, { verified: here === 'verified' })
      const end = await visit(mode, newPerson(email, { verified: there === 'verified' }), { provider })
      expect(failureOf(end)).toEqual({
        code: 'use-email-login',
        message: 'This email already has an account. Log in with it first, then connect this login.',
      })
      expect(await signIn.accountsOf(email)).toEqual([
        { id: memberId, verified: here === 'verified', providers: [] },
      ])
      expect(await signIn.subjectsTo(email)).not.toContain('You can now log in to Tidings with Tidings ID')
    },
  )

  it('is not revealed at a login with an unverified address', async ({ signIn, visit }) => {
    const { email } = await signIn.member('quiet@example.com')
    const known = await visit('login', newPerson(email, { verified: false }))
    const unknown = await visit('login', newPerson('quiet-unknown@example.com', { verified: false }))
    expect(failureOf(known).code).toBe('account-not-found')
    expect(known).toMatchObject({ status: unknown.status, message: unknown.message })
    expect(await signIn.accountsOf(email)).toMatchObject([{ providers: [] }])
  })

  it.for(['login', 'signup'])(
    'is opened at %s when both sides have verified it, and the member is emailed',
    async (mode, { signIn, visit }) => {
      const email = `sure-${mode}@example.com`
      const { memberId } = await signIn.member(email)
      const { member } = sessionOf(await visit(mode, newPerson(email)))
      expect(member.id).toBe(memberId)
      expect(member.auth).toEqual({ email, hasPassword: true, providers: [{ provider: 'local' }] })
      await expect
        .poll(() => signIn.subjectsTo(email), waitOptions)
        .toContain('You can now log in to Tidings with Tidings ID')
    },
  )

  it('is recognized in every spelling', async ({ signIn, visit }) => {
    const { memberId } = await signIn.member('spelt@example.com')
    expect(sessionOf(await visit('login', newPerson('SPELT@Example.COM'))).member.id).toBe(memberId)
  })

  it('is connected once, with one email, by concurrent logins', async ({ signIn, visit }) => {
    const email = 'often@example.com'
    const { memberId } = await signIn.member(email)
    const atOnce = await Promise.all(Array.from({ length: 4 }, () => visit('login', newPerson(email))))
    const ends = [...atOnce, await visit('login', newPerson(email))]
    expect(new Set(ends.map((end) => sessionOf(end).member.id))).toEqual(new Set([memberId]))
    expect(await signIn.accountsOf(email)).toEqual([{ id: memberId, verified: true, providers: ['local'] }])
    await visit('login', newPerson(email), { provider: 'spare' })
    await expect
      .poll(() => signIn.subjectsTo(email), waitOptions)
      .toContain('You can now log in to Tidings with Spare ID')
    expect(
      (await signIn.subjectsTo(email)).filter((subject) => subject.endsWith('with Tidings ID')),
    ).toHaveLength(1)
  })

  it('opens its account through a connected provider that reports it as unverified', async ({
    signIn,
    visit,
  }) => {
    const email = 'unsure@example.com'
    await signIn.member(email)
    await visit('login', newPerson(email))
    const end = await visit('login', newPerson(email, { verified: false }))
    expect(sessionOf(end).member.auth.email).toBe(email)
  })

  it('does not open its account for another person at the connected provider', async ({
    site,
    signIn,
    visit,
  }) => {
    const email = 'two-people@example.com'
    const { memberId } = await signIn.member(email)
    await visit('login', newPerson(email))
    const { db } = site.context.database
    // The provider has reassigned the address to another person.
    await db.memberIdentity.updateMany({ where: { memberId }, data: { subject: 'who-had-it-before' } })
    expect(failureOf(await visit('login', newPerson(email))).code).toBe('account-already-connected')
  })
})

describe('a new member whose address the provider has not verified', () => {
  it('is unverified and receives a verification email', async ({ signIn, visit }) => {
    const email = 'cleo-like@example.com'
    const { member } = sessionOf(await visit('signup', newPerson(email, { verified: false })))
    expect(member.verified).toBe(false)
    await expect
      .poll(() => signIn.subjectsTo(email), waitOptions)
      .toEqual([expect.stringMatching(/^\d{6} is your Tidings confirmation code$/)])
  })

  it('is verified once the provider reports it at a login', async ({ members, visit }) => {
    const email = 'later@example.com'
    await visit('signup', newPerson(email, { verified: false }))
    expect(sessionOf(await visit('login', newPerson(email, { verified: false }))).member.verified).toBe(false)
    const { member, tokens } = sessionOf(await visit('login', newPerson(email)))
    expect(member.verified).toBe(true)
    const headers = { ...members.visitor, authorization: `Bearer ${tokens.accessToken}` }
    const known = await members.call('GET', '/member', { headers })
    expect(known.json().data.verified).toBe(true)
  })

  it('stays unverified after changing to another address', async ({ site, visit }) => {
    const { member } = sessionOf(await visit('signup', newPerson('first@example.com', { verified: false })))
    const { db } = site.context.database
    await db.member.update({ where: { id: member.id }, data: { email: 'second@example.com' } })
    const later = sessionOf(await visit('login', newPerson('first@example.com'))).member
    expect(later).toMatchObject({ id: member.id, verified: false, auth: { email: 'second@example.com' } })
  })

  it('stays unverified when the address changes during the login', async ({ site, visit }) => {
    const { member } = sessionOf(await visit('signup', newPerson('moving@example.com', { verified: false })))
    const later = await overtake(site, {
      sql: 'UPDATE member SET email = $1 WHERE id = $2',
      values: ['moved@example.com', member.id],
      begin: () => visit('login', newPerson('moving@example.com')),
    })
    expect(sessionOf(later).member).toMatchObject({
      id: member.id,
      verified: false,
      auth: { email: 'moved@example.com' },
    })
  })
})

describe('a new member whose address the provider has verified', () => {
  it('receives no verification email', async ({ site, members, signIn, visit }) => {
    const email = 'settled@example.com'
    await visit('signup', newPerson(email))
    // Emails are sent in order, so this one is the last.
    const { email: other } = await members.signUp({ email: 'after-settled@example.com' })
    await expect.poll(() => signIn.subjectsTo(other), waitOptions).toHaveLength(1)
    const { db } = site.context.database
    expect(await db.oneTimeCode.count({ where: { email } })).toBe(0)
    expect(await signIn.subjectsTo(email)).toEqual([])
  })
})

describe('an invalid address from the provider', () => {
  it('creates no account', async ({ signIn, visit }) => {
    const end = await visit('signup', newPerson('person@localhost'))
    expect(failureOf(end).code).toBe('account-connect-failed')
    expect(await signIn.accountsOf('person@localhost')).toEqual([])
  })
})
