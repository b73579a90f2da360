import { limits } from '@tidings/contracts/limits'
import type { LightMyRequestResponse } from 'fastify'
import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { addPlans } from '#test/factories/app-settings.ts'
import { testPlans } from '#test/factories/plans.ts'
import { siteTest } from '#test/fixtures.ts'
import { readSession } from '#test/membership.ts'

const pageOrigin = 'https://www.example.com'
const perks = 'pln_perks-1'
const closed = 'pln_closed-1'
const gift = 'pln_gift-1'
let made = 0
const it = siteTest({ env: { ALLOWED_ORIGINS: pageOrigin } })
  .extend(
    'signUp',
    { scope: 'file' },
    ({ members }) =>
      async (body: object, headers = members.visitor): Promise<LightMyRequestResponse> => {
        const account = { email: newEmail(), password: 'a-long-password' }
        return await members.call('POST', '/auth/signup', { headers, body: { ...account, ...body } })
      },
  )
  .extend(
    'signUpAs',
    { scope: 'file' },
    ({ site, members }) =>
      async (text: string): Promise<LightMyRequestResponse> => {
        const payload = `{"email":"${newEmail()}","password":"a-long-password",${text}}`
        const headers = { ...members.visitor, 'content-type': 'application/json' }
        return await site.app.inject({ method: 'POST', url: '/auth/signup', headers, payload })
      },
  )
  .extend('rowOf', { scope: 'file' }, ({ site }) => async (reply: LightMyRequestResponse) => {
    const { id } = readSession(reply).member
    return await site.context.database.db.member.findUniqueOrThrow({ where: { id } })
  })
it.beforeAll(async ({ site }) => {
  await addPlans(site, [
    { id: perks, name: 'Perks', permissions: ['perks', 'paid'] },
    { id: closed, name: 'Closed', status: 'INACTIVE' },
    { id: gift, name: 'Gift', restrictToAdmin: true },
  ])
})

it.afterEach(() => {
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
})

function newEmail(): string {
  made += 1
  return `new-${made}@example.com`
}

function nested(depth: number): string {
  return `${'['.repeat(depth)}${']'.repeat(depth)}`
}

describe('POST /auth/signup', () => {
  it("stores the app's custom fields and ignores protected fields", async ({ site, signUp, rowOf }) => {
    const rights = {
      id: 'mem_chosen',
      appId: 'app_other',
      auth: { email: 'root@example.com', hasPassword: false, providers: [{ provider: 'google' }] },
      passwordHash: '$argon2id$x',
      verified: true,
      createdAt: '2000-01-01T00:00:00.000Z',
      termsAcceptedAt: '2000-01-01T00:00:00.000Z',
      permissions: ['paid'],
      planConnections: [{ id: 'con_1', planId: testPlans.yearly, active: true, type: 'SUBSCRIPTION' }],
      stripeCustomerId: 'cus_1',
      profileImage: 'https://evil.example/x.jpg',
      json: { role: 'admin' },
      loginRedirect: 'https://evil.example/',
      teams: { ownedTeams: [1] },
      inviteToken: 'x',
      allowSignup: true,
    }
    const reply = await signUp({ ...rights, customFields: { ...rights, name: 'Ann', combinestatus: 'true' } })
    const { member } = readSession(reply)
    expect(member.id).toMatch(/^mem_[a-z0-9]{24}$/)
    expect(member).toMatchObject({
      verified: false,
      createdAt: site.clock.now().toISOString(),
      auth: { hasPassword: true, providers: [] },
      customFields: { name: 'Ann', combinestatus: true },
      metaData: {},
      json: {},
      permissions: [],
      planConnections: [],
      profileImage: null,
      stripeCustomerId: null,
      loginRedirect: null,
    })
    expect(Object.keys(member.customFields).sort()).toEqual(['combinestatus', 'name'])
    const row = await rowOf(reply)
    expect(row).toMatchObject({ appId: site.context.config.site.appId, termsAcceptedAt: site.clock.now() })
    expect(row.passwordHash).toMatch(/^\$argon2id\$v=19\$/)
  })

  it.for([
    ['the Origin header', { origin: pageOrigin }, { origin_domain: 'other.example.com' }, pageOrigin],
    ['origin_domain without an Origin header', {}, { origin_domain: 'app.example.com' }, 'app.example.com'],
    ['nothing when neither is sent', {}, {}, ''],
    [
      'a long one, truncated without half a character',
      {},
      { origin_domain: `${'o'.repeat(299)}🦊${'o'.repeat(500)}` },
      `${'o'.repeat(299)}\ufffd`,
    ],
    ['origin_domain without its NUL', {}, { origin_domain: 'a\0b' }, 'ab'],
  ] as const)(
    'records when and where the terms were accepted: %s',
    async ([_what, headers, body, origin], { site, members, signUp, rowOf }) => {
      const row = await rowOf(await signUp(body, { ...members.visitor, ...headers }))
      expect(row.termsAcceptedAt).toEqual(site.clock.now())
      expect(row.termsOrigin).toBe(origin)
    },
  )

  it('stores metaData with rewardfulData in it', async ({ signUp }) => {
    const reply = await signUp({
      metaData: { source: 'news', nul: 'a\0b' },
      rewardfulData: { referral: 'r-1', coupon: { code: 'x' } },
    })
    expect(readSession(reply).member.metaData).toEqual({
      source: 'news',
      nul: 'ab',
      rewardful: { referral: 'r-1', coupon: { code: 'x' } },
    })
  })

  it.for([
    ['null fields', { metaData: null, rewardfulData: null, customFields: null, plans: null }],
    ['no optional fields', {}],
  ] as const)('accepts %s', async ([_what, body], { signUp }) => {
    expect(readSession(await signUp(body)).member).toMatchObject({ metaData: {}, customFields: {} })
  })

  it('accepts the maximum metaData and refuses one byte more', async ({ signUp }) => {
    const metaOf = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) })
    readSession(await signUp({ metaData: metaOf(limits.metaDataBytes) }))
    const refused = [
      { metaData: metaOf(limits.metaDataBytes + 1) },
      { metaData: {}, rewardfulData: 'x'.repeat(limits.metaDataBytes) },
    ]
    for (const body of refused) {
      expect(refusalOf(await signUp(body))).toMatchObject({ status: 413, code: 'payload-too-large' })
    }
  })

  it.for([
    ['5 MB', `"metaData":{"a":"${'x'.repeat(5_000_000)}"}`, 413],
    ['20,000 brackets of metaData', `"metaData":{"a":${nested(20_000)}}`, 400],
    ['a custom field that is too long', `"customFields":{"name":"${'x'.repeat(2001)}"}`, 400],
    ['a prototype in metaData', '"metaData":{"a":{"__proto__":{"polluted":1}}}', 400],
    ['a prototype in the custom fields', '"customFields":{"__proto__":{"polluted":1}}', 400],
    ['a prototype of the body', '"__proto__":{"polluted":1}', 400],
    ['a constructor with a prototype', '"rewardfulData":{"constructor":{"prototype":{"polluted":1}}}', 400],
  ] as const)('refuses %s and creates no account', async ([_what, text, status], { site, signUpAs }) => {
    const before = await site.context.database.db.member.count()
    expect(refusalOf(await signUpAs(text)).status).toBe(status)
    expect(await site.context.database.db.member.count()).toBe(before)
  })

  it('drops prototype keys', async ({ signUpAs }) => {
    const reply = await signUpAs(
      '"metaData":{"\\u0000__proto__":{"polluted":1},"a":{"constructor":{"polluted":1},"b":1}}',
    )
    expect(readSession(reply).member.metaData).toEqual({ a: { b: 1 } })
    expect(reply.body).not.toContain('polluted')
  })
})

describe('POST /auth/signup with plans', () => {
  it('adds each free plan once, with its permissions', async ({ signUp }) => {
    const plans = [perks, testPlans.free, perks].map((planId) => ({ planId }))
    const { member } = readSession(await signUp({ plans }))
    expect(member.permissions).toEqual(['perks', 'paid'])
    const ids = member.planConnections.map(({ planId }) => planId)
    expect(ids.sort()).toEqual([testPlans.free, perks].sort())
    for (const connection of member.planConnections) {
      expect(connection).toMatchObject({ type: 'FREE', active: true, status: 'ACTIVE', payment: null })
    }
  })

  it.for([
    ['a paid plan', [testPlans.yearly], 400, 'plan-not-free'],
    ['a paid plan beside a free plan', [testPlans.free, testPlans.monthly], 400, 'plan-not-free'],
    ['an unknown plan', ['pln_unknown'], 404, 'plan-not-found'],
    ['an inactive plan', [closed], 404, 'plan-not-found'],
    ['a plan restricted to admins', [gift], 403, 'plan-restricted-to-admin'],
    ['the name of a method', ['constructor'], 404, 'plan-not-found'],
    ['a name with a NUL', ['pln_\0'], 404, 'plan-not-found'],
  ] as const)(
    'refuses %s and creates no account',
    async ([_what, planIds, status, code], { site, signUp }) => {
      const before = await site.context.database.db.member.count()
      const reply = await signUp({ plans: planIds.map((planId) => ({ planId })) })
      expect(refusalOf(reply)).toMatchObject({ status, code })
      expect(await site.context.database.db.member.count()).toBe(before)
    },
  )
})
