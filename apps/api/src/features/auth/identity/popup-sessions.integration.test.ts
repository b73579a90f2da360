import { describe, expect } from 'vitest'
import { testPlans } from '#test/factories/plans.ts'
import { signInTest } from '#test/fixtures.ts'
import { failureOf, newPerson } from '#test/sign-in/popups.ts'
import { otherApp, readerOrigins, sessionOf } from '#test/sites/sign-in-site.ts'

const it = signInTest()

const once = (value: unknown) => JSON.stringify(value)
const twice = (value: unknown) => encodeURIComponent(once(value))

describe('GET /auth-provider/signup', () => {
  it.for(['local', 'github'])(
    'signs up through %s and posts the session to the page',
    async (provider, { site, members, signIn }) => {
      const email = `new-${provider}@example.com`
      const end = await signIn.browser().visit('signup', signIn.query(provider), newPerson(email))
      expect(end.status).toBe(200)
      expect(end.origins).toEqual(readerOrigins)
      const { member, tokens, redirect } = sessionOf(end)
      expect(member).toMatchObject({ verified: true, customFields: {}, permissions: [], planConnections: [] })
      expect(member.auth).toEqual({ email, hasPassword: false, providers: [{ provider }] })
      expect(member.id).toMatch(/^mem_/)
      expect(tokens.expires).toBe(site.clock.now().getTime() + 14 * 24 * 3600 * 1000)
      expect(redirect).toBeNull()
      const headers = { ...members.visitor, authorization: `Bearer ${tokens.accessToken}` }
      const known = await members.call('GET', '/member', { headers })
      expect(known.json().data.id).toBe(member.id)
    },
  )

  it.for([
    ['twice, as clients do', twice],
    ['once', once],
  ] as const)('accepts custom fields and plans that are encoded %s', async ([way, encode], { signIn }) => {
    const email = `brings-${way.length}@example.com`
    const customFields = { name: 'Ada & Bea, 100% "both" <b>', combinestatus: 'true', unknown: 'x' }
    const more = { customFields: encode(customFields), plans: encode([{ planId: testPlans.free }]) }
    const { member } = sessionOf(
      await signIn.browser().visit('signup', signIn.query('local', more), newPerson(email)),
    )
    expect(member.customFields).toEqual({ name: customFields.name, combinestatus: true })
    expect(member.planConnections.map(({ planId, type }) => ({ planId, type }))).toEqual([
      { planId: testPlans.free, type: 'FREE' },
    ])
  })

  it.for([
    ['invalid JSON', '{"name":', '[{'],
    ['JSON of another type', '["name"]', '{"planId":"x"}'],
    ['a broken escape', '%7B%E0%A4', '%5B%'],
    ['a prototype', '{"__proto__":{"name":"x"},"constructor":{"prototype":{"name":"x"}}}', '[]'],
  ] as const)('ignores %s', async ([what, customFields, plans], { signIn }) => {
    const email = `${what.replaceAll(' ', '-')}@example.com`
    const query = signIn.query('local', { customFields, plans })
    const { member } = sessionOf(await signIn.browser().visit('signup', query, newPerson(email)))
    expect(member).toMatchObject({ customFields: {}, planConnections: [] })
    expect(Reflect.get({}, 'name')).toBeUndefined()
  })

  it('removes characters that Postgres cannot store', async ({ signIn }) => {
    const customFields = '{"name":"a\\u0000b\\ud800c","other\\u0000":"\\u0000"}'
    const query = signIn.query('local', { customFields, plans: '[{"planId":"pln_\\u0000"}]' })
    const refused = await signIn.browser().visit('signup', query, newPerson('nul@example.com'))
    expect(failureOf(refused).code).toBe('plan-not-found')
    const taken = { ...query, plans: '' }
    const { member } = sessionOf(await signIn.browser().visit('signup', taken, newPerson('nul@example.com')))
    expect(member.customFields).toEqual({ name: 'ab\ufffdc' })
  })

  it.for([
    [testPlans.monthly, 'plan-not-free'],
    ['pln_unknown', 'plan-not-found'],
  ] as const)('refuses the plan %s with %s and creates no account', async ([planId, code], { signIn }) => {
    const email = `${code}@example.com`
    const query = signIn.query('local', { plans: twice([{ planId: testPlans.free }, { planId }]) })
    const end = await signIn.browser().visit('signup', query, newPerson(email))
    expect(end.origins).toEqual(readerOrigins)
    expect(failureOf(end).code).toBe(code)
    expect(await signIn.accountsOf(email)).toEqual([])
  })

  it('refuses a field that is too long or of another type, and creates no account', async ({ signIn }) => {
    for (const name of ['x'.repeat(10_001), { deep: true }]) {
      const query = signIn.query('local', { customFields: twice({ name }) })
      const reply = signIn.browser().visit('signup', query, newPerson('long@example.com'))
      expect(failureOf(await reply).code).toBe('invalid-request')
    }
    expect(await signIn.accountsOf('long@example.com')).toEqual([])
  })

  it('records the host of the page as the origin of the accepted terms', async ({ site, signIn }) => {
    const email = 'terms@example.com'
    const { member } = sessionOf(
      await signIn.browser().visit('signup', signIn.query('local'), newPerson(email)),
    )
    const row = await site.context.database.db.member.findUnique({ where: { id: member.id } })
    expect(row?.termsOrigin).toBe('reader.example')
    expect(row?.termsAcceptedAt).toEqual(site.clock.now())
  })

  it('refuses a person without an address and names the provider', async ({ signIn }) => {
    const nameless = { person: 'other', name: 'No Address', email: '' }
    const end = await signIn.browser().visit('signup', signIn.query('local'), nameless)
    expect(failureOf(end)).toEqual({
      code: 'account-connect-failed',
      message: 'Tidings ID didn’t share your email address, and we need one for your account.',
    })
  })

  it('logs in an existing member and changes nothing', async ({ signIn }) => {
    const person = newPerson('again@example.com')
    const first = await signIn.browser().visit('signup', signIn.query('local'), person)
    const query = signIn.query('local', {
      customFields: twice({ name: 'Other' }),
      plans: twice([{ planId: testPlans.monthly }]),
    })
    const { member } = sessionOf(await signIn.browser().visit('signup', query, person))
    expect(member).toMatchObject({ id: sessionOf(first).member.id, customFields: {}, planConnections: [] })
    expect(await signIn.accountsOf('again@example.com')).toHaveLength(1)
  })
})

describe('GET /auth-provider/login', () => {
  it.for([
    ['nothing', {}],
    ['false', { allowSignup: 'false' }],
    ['1', { allowSignup: '1' }],
  ] as const)('creates no account with allowSignup: %s', async ([what, more], { signIn }) => {
    const email = `stranger-${what}@example.com`
    const end = await signIn.browser().visit('login', signIn.query('local', more), newPerson(email))
    expect(end.origins).toEqual(readerOrigins)
    expect(failureOf(end).code).toBe('account-not-found')
    expect(await signIn.accountsOf(email)).toEqual([])
  })

  it('creates an account with allowSignup: true, and logs in to it afterwards', async ({ signIn }) => {
    const person = newPerson('allowed@example.com')
    const allowed = signIn.query('local', { allowSignup: 'true' })
    const first = sessionOf(await signIn.browser().visit('login', allowed, person))
    const second = sessionOf(await signIn.browser().visit('login', signIn.query('local'), person))
    expect(second.member.id).toBe(first.member.id)
    expect(second.tokens.accessToken).not.toBe(first.tokens.accessToken)
  })

  it('finds the account by person, not by address', async ({ site, signIn }) => {
    const { member } = sessionOf(
      await signIn.browser().visit('signup', signIn.query('github'), newPerson('moves@example.com')),
    )
    await site.context.database.db.member.update({
      where: { id: member.id },
      data: { email: 'moved@example.com' },
    })
    const later = await signIn
      .browser()
      .visit('login', signIn.query('github'), newPerson('moves@example.com'))
    expect(sessionOf(later).member.auth.email).toBe('moved@example.com')
  })

  it('finds no account after its deletion', async ({ members, signIn }) => {
    const person = newPerson('gone@example.com')
    const { tokens } = sessionOf(await signIn.browser().visit('signup', signIn.query('local'), person))
    const headers = { ...members.visitor, authorization: `Bearer ${tokens.accessToken}` }
    expect((await members.call('DELETE', '/member', { headers })).statusCode).toBe(200)
    const end = await signIn.browser().visit('login', signIn.query('local'), person)
    expect(failureOf(end).code).toBe('account-not-found')
  })

  it('keeps the members of two apps apart', async ({ signIn }) => {
    const person = newPerson('both@example.com')
    const here = sessionOf(await signIn.browser().visit('signup', signIn.query('local'), person))
    const elsewhere = { provider: 'local', ...otherApp }
    expect(failureOf(await signIn.browser().visit('login', elsewhere, person)).code).toBe('account-not-found')
    const there = await signIn.browser().visit('signup', elsewhere, person)
    expect(there.origins).toEqual(['https://elsewhere.example'])
    expect(sessionOf(there).member.id).not.toBe(here.member.id)
  })
})

describe('concurrent popups of a new person', () => {
  it('create one account and log in to it', async ({ signIn }) => {
    const person = newPerson('hasty@example.com')
    const visits = Array.from({ length: 4 }, () =>
      signIn.browser().visit('signup', signIn.query('local'), person),
    )
    const ids = (await Promise.all(visits)).map((end) => sessionOf(end).member.id)
    expect(new Set(ids).size).toBe(1)
    expect(await signIn.accountsOf('hasty@example.com')).toHaveLength(1)
  })
})
