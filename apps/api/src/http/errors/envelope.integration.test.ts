import { describe, expect } from 'vitest'
import { multipartForm } from '#test/content/multipart.ts'
import { createTestDesk, refusalOf } from '#test/desk.ts'
import { testPlans } from '#test/factories/plans.ts'
import { siteTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'

const it = siteTest()
  .extend('make', { scope: 'file' }, ({ members }) => async (call: Call, odd: boolean) => {
    const member = await members.signUp()
    const [method, url] = call.call
    const body = call.body?.(member)
    const target = odd ? `${url}${url.includes('?') ? '&' : '?'}${oddQuery}` : url
    const sent = body === undefined ? {} : { body: odd ? { ...oddKeys, ...body } : body }
    return await members.call(method, target, { headers: member.headers, ...sent })
  })

  /** Expects one of the three response shapes without additional keys. */
  .extend(
    'expectShape',
    { scope: 'file' },
    ({ make }) =>
      async (reply: Awaited<ReturnType<typeof make>>, expected: string): Promise<void> => {
        if (expected === 'data' || expected === 'message') {
          expect(reply.statusCode, reply.body).toBe(200)
          const shape = { data: expect.anything() }
          const message = { _internalUseOnly: { message: expect.stringMatching(/\w.*\.$/) } }
          expect(reply.json()).toEqual(expected === 'data' ? shape : { ...shape, ...message })
        } else {
          const { status, code, message } = refusalOf(reply)
          expect(`${status} ${code}`, reply.body).toBe(expected)
          expect(message).toMatch(/\w/)
          expect(reply.headers['cache-control']).toBe('no-store')
        }
      },
  )
it.beforeAll(async ({ site }) => {
  await createTestDesk(site).addContent('welcome')
})
it.beforeEach(({ site }) => site.limitMails({ perHour: 1000 }))

type Method = 'GET' | 'POST' | 'DELETE'

/** A call by a new member, its body, and its expected response: data, data with a message, or an error. */
type Call = {
  call: [Method, string]
  body?: (member: TestMember) => object
  returns: 'data' | 'message' | string
}

const password = 'a-long-password'
const newPassword = 'another-long-password'

const calls: Call[] = [
  { call: ['GET', '/app'], returns: 'data' },
  { call: ['GET', `/app/plans/${testPlans.free}`], returns: 'data' },
  { call: ['GET', '/app-member'], returns: 'data' },
  { call: ['POST', '/app-member'], body: () => ({ data: {} }), returns: 'data' },
  { call: ['POST', '/auth/login'], body: ({ email }) => ({ email, password }), returns: 'message' },
  {
    call: ['POST', '/auth/login'],
    body: ({ email }) => ({ email, password: newPassword }),
    returns: '401 invalid-credentials',
  },
  {
    call: ['POST', '/auth/signup'],
    body: ({ email }) => ({ email: `new-${email}`, password }),
    returns: 'message',
  },
  {
    call: ['POST', '/auth/signup'],
    body: ({ email }) => ({ email, password }),
    returns: '409 email-already-in-use',
  },
  {
    call: ['POST', '/auth/signup'],
    body: ({ email }) => ({ email: `new-${email}`, password: 'short' }),
    returns: '400 invalid-password-too-short',
  },
  { call: ['POST', '/auth/passwordless/login/send'], body: ({ email }) => ({ email }), returns: 'message' },
  { call: ['POST', '/auth/passwordless/signup/send'], body: ({ email }) => ({ email }), returns: 'message' },
  {
    call: ['POST', '/auth/passwordless/login'],
    body: ({ email }) => ({ email, passwordlessToken: '000000' }),
    returns: '400 invalid-passwordless-login-code',
  },
  { call: ['POST', '/auth/send-reset-password-email'], body: ({ email }) => ({ email }), returns: 'message' },
  {
    call: ['POST', '/auth/send-reset-password-email'],
    body: () => ({ email: 'no-address' }),
    returns: '400 invalid-email',
  },
  {
    call: ['POST', '/auth/reset-password'],
    body: ({ email }) => ({ token: '000000', newPassword, email }),
    returns: '400 invalid-reset-code',
  },
  { call: ['POST', '/auth/send-email-verification'], returns: 'message' },
  {
    call: ['POST', '/auth/verify-email'],
    body: ({ email }) => ({ email, code: '000000' }),
    returns: '400 invalid-verification-code',
  },
  { call: ['GET', '/member'], returns: 'data' },
  { call: ['POST', '/member'], body: () => ({ customFields: { name: 'Ann' } }), returns: 'message' },
  { call: ['POST', '/member-auth'], body: ({ email }) => ({ email: `new-${email}` }), returns: 'message' },
  {
    call: ['POST', '/member-auth'],
    body: () => ({ oldPassword: password, newPassword }),
    returns: 'message',
  },
  {
    call: ['POST', '/member-auth'],
    body: () => ({ oldPassword: newPassword, newPassword }),
    returns: '400 invalid-credentials',
  },
  { call: ['POST', '/member/set-password'], body: () => ({ password }), returns: '400 invalid-password' },
  { call: ['GET', '/member/json'], returns: 'data' },
  { call: ['POST', '/member/json'], body: () => ({ json: { a: 1 } }), returns: 'data' },
  { call: ['GET', '/member/sessions'], returns: 'data' },
  { call: ['DELETE', '/member/sessions'], returns: 'data' },
  { call: ['GET', '/member/export'], returns: 'data' },
  { call: ['DELETE', '/member/profile-image'], returns: 'message' },
  { call: ['POST', '/member/plans/add'], body: () => ({ planId: testPlans.free }), returns: 'data' },
  {
    call: ['POST', '/member/plans/add'],
    body: () => ({ planId: testPlans.yearly }),
    returns: '400 plan-not-free',
  },
  {
    call: ['POST', '/member/plans/add'],
    body: () => ({ planId: 'pln_none' }),
    returns: '404 plan-not-found',
  },
  {
    call: ['POST', '/member/disconnect-provider'],
    body: () => ({ provider: 'local' }),
    returns: '404 account-not-connected',
  },
  { call: ['POST', '/secure-content'], body: () => ({ contentId: 'welcome' }), returns: 'data' },
  {
    call: ['POST', '/secure-content'],
    body: () => ({ contentId: 'none' }),
    returns: '404 content-not-found',
  },
  { call: ['POST', '/page-view'], body: () => ({}), returns: 'data' },
  { call: ['POST', '/event'], body: () => ({}), returns: 'data' },
  { call: ['GET', '/comments/posts?channelKey=page'], returns: 'data' },
  {
    call: ['POST', '/comments/posts'],
    body: () => ({ channelKey: 'page', content: 'Hello' }),
    returns: 'data',
  },
  {
    call: ['POST', '/comments/channels/manage-subscription'],
    body: () => ({ channelKey: 'page', action: 'NONE' }),
    returns: 'data',
  },
  { call: ['POST', '/member/logout'], returns: 'message' },
  { call: ['DELETE', '/member'], returns: 'data' },
  { call: ['POST', '/member/team/join'], body: () => ({}), returns: '404 not-found' },
  { call: ['GET', '/v1/data-tables'], returns: '404 not-found' },
  { call: ['POST', '/nowhere'], body: () => ({}), returns: '404 not-found' },
]

/** Additional keys that clients send or could send; none of them makes a call fail. */
const oddKeys = {
  conversionData: { source: 'x', nested: { deep: [1, 2] } },
  inviteToken: 'token',
  _url: 'https://www.example.com/page?x=1',
  allowSignup: true,
  metadataForCheckout: null,
  options: { includeContentGroups: true },
  teamId: '',
  referral: 0,
  coupon: false,
  clientVersion: 2.5,
  list: [{}, null, [], 'x'],
  'key with spaces': 1,
  ключ: 'значение',
  '': 'empty',
  hasOwnProperty: 'x',
  toString: 'x',
  length: -1,
  $where: '1 == 1',
  __typename: 'Member',
  id: 'mem_anothermember',
}
const oddQuery = '1234&_url=x&a=1&a=2&b[c]=d'

describe('a membership call', () => {
  it.for(calls.map((call) => [call.call.join(' '), call.returns, call] as const))(
    '%s returns %s in its shape',
    async ([_name, expected, call], { make, expectShape }) => expectShape(await make(call, false), expected),
  )

  it.for(calls.map((call) => [call.call.join(' '), call.returns, call] as const))(
    '%s returns %s despite twenty unknown keys and an unknown query',
    async ([_name, expected, call], { make, expectShape }) => expectShape(await make(call, true), expected),
  )

  it('uploads an image beside unknown fields and returns a message', async ({
    site,
    members,
    expectShape,
  }) => {
    const { headers } = await members.signUp()
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    const form = multipartForm([
      { name: '_url', content: 'https://www.example.com' },
      { name: 'profileImage', filename: 'me.png', type: 'image/png', content: png },
    ])
    const reply = await site.app.inject({
      method: 'POST',
      url: '/member/profile-image?1234',
      headers: { ...headers, ...form.headers },
      payload: form.payload,
    })
    await expectShape(reply, 'message')
  })

  it('returns the login message that clients expect', async ({ members }) => {
    const { email } = await members.signUp()
    const reply = await members.call('POST', '/auth/login', { body: { email, password } })
    expect(reply.json()._internalUseOnly).toEqual({ message: 'You have successfully logged in.' })
  })
})
