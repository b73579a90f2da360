import { appMemberReply, appReply, pageViewReply } from '@tidings/contracts/membership/widget-config'
import { describe, expect } from 'vitest'
import { createTestDesk, refusalOf } from '#test/desk.ts'
import { changeApp } from '#test/factories/app-settings.ts'
import { testPlans } from '#test/factories/plans.ts'
import { siteTest } from '#test/fixtures.ts'
import { createTestMembers } from '#test/membership.ts'
import { startTestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'

const local = {
  name: 'Local',
  issuer: 'http://localhost:3001/identity',
  clientId: 'tidings-local',
  clientSecret: 'very-secret',
}
const everyProvider = {
  GOOGLE_CLIENT_ID: 'id',
  GOOGLE_CLIENT_SECRET: 'secret',
  MICROSOFT_CLIENT_ID: 'id',
  MICROSOFT_CLIENT_SECRET: 'secret',
  APPLE_CLIENT_ID: 'id',
  APPLE_TEAM_ID: 'team',
  APPLE_KEY_ID: 'key',
  APPLE_PRIVATE_KEY: 'private',
  GITHUB_CLIENT_ID: 'id',
  GITHUB_CLIENT_SECRET: 'secret',
}
const siteUrl = 'https://news.example.com'
const ssoText = { signup: { title: 'Join with one click' } }
const it = siteTest({
  env: {
    SITE_NAME: 'The Daily Test',
    SITE_URL: siteUrl,
    OIDC_PROVIDERS: JSON.stringify([
      { ...local, key: 'local', icon: 'https://id.example/icon.svg' },
      { ...local, key: 'second', name: 'Second' },
    ]),
  },
}).extend('readApp', { scope: 'file' }, ({ members }) => async (query = '') => {
  return appReply.parse((await members.call('GET', `/app${query}`)).json()).data
})
it.beforeAll(async ({ site }) => {
  await changeApp(site, { ssoText })
})

describe('GET /app', () => {
  it('returns the configuration that clients render', async ({ members }) => {
    const reply = await members.call('GET', '/app')
    expect(reply.statusCode).toBe(200)
    const { data } = appReply.strict().parse(reply.json())
    expect(data).toMatchObject({
      id: 'app_tidings',
      name: 'The Daily Test',
      mode: 'sandbox',
      isPaid: false,
      branding: { logo: null, colors: { lightMode: { primaryButton: 'rgb(41, 98, 255)' } } },
      additionalAuthMethods: { passwordless: { enabled: true, isDefault: false } },
      allowMemberSelfDelete: true,
      captchaRequired: false,
      captcha: null,
      ssoSignupButtonURL: null,
      contentGroups: [],
      translations: {},
    })
    expect(data).not.toHaveProperty('ssoText')
  })

  it("lists the site's custom fields in order, the five delivery fields hidden", async ({ readApp }) => {
    const { customFields } = await readApp()
    expect(customFields.map(({ key, hidden, order }) => [key, hidden, order])).toEqual([
      ['name', false, 0],
      ['phone', false, 1],
      ['getmemomethodbyemail', true, 2],
      ['getmemomethodbysms', true, 3],
      ['getPDFMethodBySMS', true, 4],
      ['getPDFMethodByEmail', true, 5],
      ['combinestatus', true, 6],
    ])
  })

  it('lists the identity providers in order, without their settings', async ({ members, readApp }) => {
    const { authProviders } = await readApp()
    expect(authProviders).toEqual([
      { provider: 'local', name: 'Local', icon: 'https://id.example/icon.svg', order: 0 },
      { provider: 'second', name: 'Second', icon: `${siteUrl}/membership/providers/other.svg`, order: 1 },
    ])
    expect((await members.call('GET', '/app')).body).not.toMatch(/very-secret|tidings-local|localhost:3001/)
  })

  it('has a built-in icon for every provider without one', async () => {
    const pictures = await startTestApp({
      databaseUrl: await createTestDatabase(),
      env: {
        ...everyProvider,
        SITE_URL: siteUrl,
        OIDC_PROVIDERS: JSON.stringify([{ ...local, key: 'local' }]),
      },
    })
    const reply = await createTestMembers(pictures).call('GET', '/app')
    const { authProviders } = appReply.parse(reply.json()).data
    expect(authProviders.map(({ provider }) => provider)).toEqual([
      'google',
      'microsoft',
      'apple',
      'github',
      'local',
    ])
    expect(new Set(authProviders.map(({ icon }) => icon)).size).toBe(5)
    for (const { icon } of authProviders) {
      const { origin, pathname } = new URL(icon)
      expect(origin).toBe(siteUrl)
      const image = await pictures.app.inject({ url: pathname, headers: { origin: 'https://any.example' } })
      expect([image.statusCode, image.body.startsWith('<svg ')]).toEqual([200, true])
      expect(image.headers).toMatchObject({
        'content-type': expect.stringMatching(/^image\/svg\+xml\b/),
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=86400',
      })
    }
    const unknown = await pictures.app.inject('/membership/providers/unknown.svg')
    expect(unknown.statusCode).toBe(404)
    await pictures.close()
  })

  it("lists the app's choice of configured providers in the app's order", async ({ site, readApp }) => {
    await changeApp(site, { authProviders: ['second', 'unknown', 'local'] })
    const { authProviders } = await readApp()
    expect(authProviders.map(({ provider, order }) => [provider, order])).toEqual([
      ['second', 0],
      ['local', 1],
    ])
    await changeApp(site, { authProviders: [] })
    expect((await readApp()).authProviders).toEqual([])
    await changeApp(site, { authProviders: null })
  })

  it('lists each plan as GET /app/plans/{id} returns it, a free plan without prices', async ({
    members,
    readApp,
  }) => {
    const { plans } = await readApp()
    expect(plans.map(({ id }) => id)).toEqual(Object.values(testPlans))
    for (const plan of plans) {
      const reply = await members.call('GET', `/app/plans/${plan.id}`)
      expect([reply.statusCode, reply.json()]).toEqual([200, { data: plan }])
    }
    expect(plans[0]).toMatchObject({ isPaid: false, prices: [] })
    expect(plans[1]).toMatchObject({
      isPaid: true,
      prices: [
        {
          id: 'prc_monthly-plan-8k3v5n1wqe',
          amount: 4.99,
          currency: 'usd',
          type: 'SUBSCRIPTION',
          interval: { type: 'MONTHLY', count: 1 },
          active: true,
        },
      ],
    })
  })

  it.for(['pln_unknown', 'pln_', '__proto__', '%00', "'"])(
    'GET /app/plans/{id} returns 404 for %s',
    async (planId, { members }) => {
      const reply = await members.call('GET', `/app/plans/${planId}`)
      expect(refusalOf(reply)).toMatchObject({ status: 404, code: 'plan-not-found' })
    },
  )

  it('lists a content group as soon as an editor creates it', async ({ site, readApp }) => {
    expect((await readApp()).contentGroups).toEqual([])
    const group = await createTestDesk(site).addGroup({ key: 'members', permissions: ['paid'] })
    expect((await readApp()).contentGroups).toMatchObject([
      { id: group.id, key: 'members', permissions: ['paid'], plans: [] },
    ])
  })

  it('returns the single sign-on texts only on request', async ({ readApp }) => {
    for (const query of [
      '',
      '?includeSSOText=',
      '?includeSSOText=undefined',
      '?includeSSOText=false',
      '?1234',
    ]) {
      expect(await readApp(query), query).not.toHaveProperty('ssoText')
    }
    for (const query of ['?includeSSOText=true', '?includeSSOText=1']) {
      expect((await readApp(query)).ssoText, query).toEqual(ssoText)
    }
  })

  it('returns changes of the configuration at once', async ({ site, readApp }) => {
    await changeApp(site, {
      isPaid: true,
      translations: { login: 'Enter' },
      loginRedirect: 'https://a.example',
    })
    expect(await readApp()).toMatchObject({ isPaid: true, translations: { login: 'Enter' } })
    await changeApp(site, { isPaid: false, translations: {}, loginRedirect: null })
  })
})

describe('/app-member', () => {
  it('returns the app as GET /app does, and no member to a visitor', async ({ members, readApp }) => {
    const app = await readApp()
    for (const method of ['GET', 'POST'] as const) {
      const reply = await members.call(method, '/app-member')
      expect(reply.statusCode).toBe(200)
      expect(reply.headers['cache-control']).toBe('no-store')
      expect(appMemberReply.strict().parse(reply.json()).data).toMatchObject({ app, member: null })
    }
  })

  it('returns the member as GET /member does', async ({ members }) => {
    const ann = await members.signUp({ customFields: { name: 'Ann' } })
    const member = (await members.call('GET', '/member', { headers: ann.headers })).json().data
    expect(member.customFields).toMatchObject({ name: 'Ann' })
    for (const method of ['GET', 'POST'] as const) {
      const reply = await members.call(method, '/app-member', { headers: ann.headers })
      expect(reply.json().data.member).toEqual(member)
    }
  })

  it.for([
    ['nothing', undefined, false],
    ['null', null, false],
    ['an empty body', {}, false],
    ['no data', { data: null }, false],
    ['empty data', { data: {} }, false],
    ['the text undefined', { data: { includeSSOText: 'undefined' } }, false],
    ['false', { data: { includeSSOText: false } }, false],
    ['null for the texts', { data: { includeSSOText: null } }, false],
    ['true', { data: { includeSSOText: true, trackPageView: true, sessionData: null } }, true],
    ['a text', { data: { includeSSOText: 'true', sessionData: { sessionId: 'x', extra: [1] } } }, true],
    ['odd keys', { data: { trackPageView: 'x', _url: 1 }, conversionData: {}, inviteToken: null }, false],
  ] as const)('accepts %s as its body', async ([_name, body, withText], { members }) => {
    const reply = await members.call('POST', '/app-member', body === undefined ? {} : { body })
    expect(reply.statusCode, reply.body).toBe(200)
    expect('ssoText' in reply.json().data.app).toBe(withText)
  })

  it.for([
    ['abcdefghijklmnopqrstuvwxyz', true],
    ['a-Session_1', true],
    ['abcdefghijklmnopqrstuvwxyz0', false],
    ['<script>', false],
    ['', false],
    ['a b', false],
  ] as const)('uses the visit id %j if it is valid', async ([name, isKept], { members }) => {
    const headers = { ...members.visitor, 'x-session-id': name }
    for (const [method, url] of [
      ['GET', '/app-member'],
      ['POST', '/app-member'],
      ['POST', '/page-view'],
    ] as const) {
      const { sessionId } = (await members.call(method, url, { headers })).json().data.sessionData
      expect(sessionId).toMatch(/^[\w-]{1,26}$/)
      expect(sessionId === name, url).toBe(isKept)
    }
  })
})

describe.each(['/page-view', '/event'])('POST %s', (url) => {
  it.for([
    ['none', undefined],
    ['an object', { data: { url: 'https://a.example', referrer: '' }, __typename: 'x' }],
    ['a list', [1, 2]],
    ['a text', 'viewed'],
    ['null', null],
    ['a number', 1],
    ['deep nesting', { a: { b: { c: [[[[{}]]]] } } }],
  ] as const)('accepts any body: %s', async ([_name, body], { members }) => {
    const reply = await members.call('POST', url, body === undefined ? {} : { body })
    expect(reply.statusCode, reply.body).toBe(200)
    pageViewReply.strict().parse(reply.json())
  })
})
