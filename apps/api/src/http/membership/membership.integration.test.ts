import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { addApp } from '#test/factories/membership-apps.ts'
import { siteTest } from '#test/fixtures.ts'

const json = { 'content-type': 'application/json' }
const it = siteTest().extend('ann', { scope: 'file' }, ({ members }) =>
  members.signUp({ email: 'ann@example.com' }),
)
it.beforeAll(async ({ site }) => {
  await addApp(site, { id: 'app_other', publicKey: 'pk_other' })
})

describe('the app of a request', () => {
  it.for([
    ['the key alone', { 'x-api-key': 'pk_tidings' }],
    ['key and id', { 'x-api-key': 'pk_tidings', 'x-app-id': 'app_tidings' }],
    ['an empty id', { 'x-api-key': 'pk_tidings', 'x-app-id': '' }],
    ['the id undefined', { 'x-api-key': 'pk_tidings', 'x-app-id': 'undefined' }],
    ['the id null', { 'x-api-key': 'pk_tidings', 'x-app-id': 'null' }],
  ] as const)('is found by %s', async ([_name, headers], { members }) => {
    const reply = await members.call('GET', '/app', { headers })
    expect([reply.statusCode, reply.json().data?.id]).toEqual([200, 'app_tidings'])
  })

  it.for<[string, Record<string, string>]>([
    ['nothing', {}],
    ['the id alone', { 'x-app-id': 'app_tidings' }],
    ['an empty key', { 'x-api-key': '' }],
    ['an unknown key', { 'x-api-key': 'pk_unknown' }],
    ['a key in upper case', { 'x-api-key': 'PK_TIDINGS' }],
    ['a key with trailing text', { 'x-api-key': 'pk_tidings, pk_tidings' }],
    ['a key of the prototype', { 'x-api-key': '__proto__' }],
    ['an unknown id', { 'x-api-key': 'pk_tidings', 'x-app-id': 'app_unknown' }],
    ['the id of another app', { 'x-api-key': 'pk_tidings', 'x-app-id': 'app_other' }],
    ['the key of another app', { 'x-api-key': 'pk_other', 'x-app-id': 'app_tidings' }],
  ] as const)('is not found by %s', async ([_name, headers], { members, ann }) => {
    for (const [method, url] of [
      ['GET', '/app'],
      ['GET', '/member'],
      ['POST', '/auth/login'],
      ['POST', '/member/logout'],
    ] as const) {
      const reply = await members.call(method, url, {
        headers: { ...headers, authorization: `Bearer ${ann.token}` },
      })
      expect(refusalOf(reply), url).toMatchObject({ status: 404, code: 'app-not-found' })
    }
  })
})

describe('an unknown query', () => {
  it.for([
    '?1234',
    '?',
    '?1700000000000=',
    '?a=1&a=2&b[]=3',
    '?__proto__[x]=1&constructor=2',
    '?q=%zz',
    '?%00=%00',
  ])('is ignored: %s', async (query, { members, ann }) => {
    const member = await members.call('GET', `/member${query}`, { headers: ann.headers })
    expect([member.statusCode, member.json().data?.id]).toEqual([200, ann.memberId])
    expect((await members.call('GET', `/member${query}`)).json()).toEqual({ data: null })
    expect((await members.call('GET', `/app${query}`)).statusCode).toBe(200)
    expect((await members.call('POST', `/member/logout${query}`)).statusCode).toBe(200)
  })
})

describe('a request without a body', () => {
  it.for([
    ['no content type', {}],
    ['a content type', json],
    ['a content type with a charset', { 'content-type': 'application/json; charset=utf-8' }],
  ] as const)('is accepted with %s', async ([_name, type], { site, members }) => {
    const member = await members.signUp()
    for (const [method, url] of [
      ['POST', '/app-member'],
      ['POST', '/page-view'],
      ['POST', '/event'],
      ['POST', '/auth/send-email-verification'],
      ['DELETE', '/member/profile-image'],
      ['POST', '/member'],
      ['POST', '/member/logout'],
      ['POST', '/member/logout'],
    ] as const) {
      const reply = await site.app.inject({ method, url, headers: { ...member.headers, ...type } })
      expect(reply.statusCode, `${url} ${reply.body}`).toBe(200)
    }
    const deleted = await members.signUp()
    const reply = await site.app.inject({
      method: 'DELETE',
      url: '/member',
      headers: { ...deleted.headers, ...type },
    })
    expect([reply.statusCode, reply.json().data]).toEqual([200, { id: deleted.memberId }])
  })

  it('is rejected when a body is required', async ({ site, members }) => {
    for (const headers of [members.visitor, { ...members.visitor, ...json }]) {
      const reply = await site.app.inject({ method: 'POST', url: '/auth/login', headers })
      expect(refusalOf(reply)).toMatchObject({
        status: 400,
        code: 'required-field-missing',
        message: 'The request has no body. Send it as JSON.',
      })
    }
  })
})

describe('a body without a required field', () => {
  it.for([
    ['/auth/login', { email: 'ann@example.com' }, 'Enter your password.'],
    ['/auth/verify-email', { email: 'ann@example.com' }, 'Enter your code.'],
    ['/member-auth', { newPassword: 'a-long-password' }, 'Enter your current password.'],
    ['/member/plans/add', {}, "'planId' is required."],
  ] as const)(
    'is rejected with the name of the field: %s',
    async ([url, body, message], { members, ann }) => {
      const reply = await members.call('POST', url, { headers: ann.headers, body })
      expect(refusalOf(reply)).toEqual({ status: 400, code: 'required-field-missing', message })
    },
  )
})

describe('a foreign page in a browser that is logged in', () => {
  const form = 'email=ann%40example.com&password=a-long-password'

  it.for([
    ['plain text', 'text/plain', '{"email":"ann@example.com","password":"a-long-password"}'],
    ['plain text with a charset', 'text/plain;charset=UTF-8', '{"customFields":{"name":"Evil"}}'],
    ['a form', 'application/x-www-form-urlencoded', form],
    ['another kind of JSON', 'application/csp-report', '{}'],
  ] as const)('is rejected with %s', async ([_name, type, payload], { site, ann }) => {
    for (const url of [
      '/auth/login',
      '/auth/signup',
      '/member',
      '/member/json',
      '/page-view',
      '/app-member',
    ]) {
      const headers = { ...ann.headers, 'content-type': type }
      const reply = await site.app.inject({ method: 'POST', url, headers, payload })
      expect(refusalOf(reply), url).toMatchObject({ status: 415, code: 'unsupported-media-type' })
    }
  })

  it('cannot authenticate with any cookie', async ({ site, members, ann }) => {
    const cookies = [
      site.pass,
      `_ms-mid=${ann.token}`,
      `_ms-mid=Bearer ${ann.token}`,
      `tidings_reader=${ann.token}`,
      `authorization=Bearer ${ann.token}`,
      `_ms-mem=${encodeURIComponent(JSON.stringify({ id: ann.memberId }))}`,
    ]
    for (const cookie of [...cookies, cookies.join('; ')]) {
      const headers = { ...members.visitor, cookie }
      expect((await members.call('GET', '/member', { headers })).json()).toEqual({ data: null })
      expect((await members.call('POST', '/app-member', { headers })).json().data.member).toBeNull()
      for (const [method, url] of [
        ['DELETE', '/member'],
        ['POST', '/member'],
        ['GET', '/member/export'],
        ['GET', '/member/sessions'],
        ['DELETE', '/member/sessions'],
        ['POST', '/member/plans/add'],
        ['POST', '/comments/posts'],
      ] as const) {
        const reply = await members.call(method, url, { headers })
        expect(refusalOf(reply), `${method} ${url}`).toMatchObject({ status: 401, code: 'login-required' })
      }
    }
  })

  it('cannot log the member out with a cookie', async ({ members, ann }) => {
    const headers = { ...members.visitor, cookie: `_ms-mid=${ann.token}` }
    await members.call('POST', '/member/logout', { headers })
    expect((await members.call('GET', '/member', { headers: ann.headers })).json().data.id).toBe(ann.memberId)
  })

  it('gets no cookie from a membership call, and only a browser id from a login', async ({
    members,
    ann,
  }) => {
    const body = { email: ann.email, password: ann.password }
    const login = await members.call('POST', '/auth/login', { body })
    expect(login.cookies.map(({ name }) => name)).toEqual(['tidings_browser'])
    for (const reply of [
      await members.call('GET', '/member', { headers: ann.headers }),
      await members.call('GET', '/app-member', { headers: ann.headers }),
      await members.call('POST', '/member/logout'),
    ]) {
      expect(reply.headers['set-cookie']).toBeUndefined()
    }
  })
})
