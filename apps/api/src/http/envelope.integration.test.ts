import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDesk, refusalOf } from '#test/desk.ts'
import { testPlans } from '#test/factories/plans.ts'
import { createTestMembers, type TestMember, type TestMembers } from '#test/membership.ts'
import { multipartForm } from '#test/multipart.ts'
import { startTestApp, type TestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'

let site: TestApp
let members: TestMembers
beforeAll(async () => {
  site = await startTestApp({
    databaseUrl: await createTestDatabase(),
    env: { RATE_CODE_MAILS_PER_HOUR: '1000' },
  })
  members = createTestMembers(site)
  await createTestDesk(site).addContent('welcome')
})
afterAll(() => site.close())

type Method = 'GET' | 'POST' | 'DELETE'

/** A call by somebody new: its body, and what it answers: nothing but data, data and a message, or a refusal. */
type Call = {
  call: [Method, string]
  body?: (one: TestMember) => object
  answers: 'data' | 'message' | string
}

const password = 'a-long-password'
const newPassword = 'another-long-password'

const calls: Call[] = [
  { call: ['GET', '/app'], answers: 'data' },
  { call: ['GET', `/app/plans/${testPlans.free}`], answers: 'data' },
  { call: ['GET', '/app-member'], answers: 'data' },
  { call: ['POST', '/app-member'], body: () => ({ data: {} }), answers: 'data' },
  { call: ['POST', '/auth/login'], body: ({ email }) => ({ email, password }), answers: 'message' },
  {
    call: ['POST', '/auth/login'],
    body: ({ email }) => ({ email, password: newPassword }),
    answers: '401 invalid-credentials',
  },
  {
    call: ['POST', '/auth/signup'],
    body: ({ email }) => ({ email: `new-${email}`, password }),
    answers: 'message',
  },
  {
    call: ['POST', '/auth/signup'],
    body: ({ email }) => ({ email, password }),
    answers: '409 email-already-in-use',
  },
  {
    call: ['POST', '/auth/signup'],
    body: ({ email }) => ({ email: `new-${email}`, password: 'short' }),
    answers: '400 invalid-password-too-short',
  },
  { call: ['POST', '/auth/passwordless/login/send'], body: ({ email }) => ({ email }), answers: 'message' },
  { call: ['POST', '/auth/passwordless/signup/send'], body: ({ email }) => ({ email }), answers: 'message' },
  {
    call: ['POST', '/auth/passwordless/login'],
    body: ({ email }) => ({ email, passwordlessToken: '000000' }),
    answers: '400 invalid-passwordless-login-code',
  },
  { call: ['POST', '/auth/send-reset-password-email'], body: ({ email }) => ({ email }), answers: 'message' },
  {
    call: ['POST', '/auth/send-reset-password-email'],
    body: () => ({ email: 'nobody' }),
    answers: '400 invalid-email',
  },
  {
    call: ['POST', '/auth/reset-password'],
    body: ({ email }) => ({ token: '000000', newPassword, email }),
    answers: '400 invalid-reset-code',
  },
  { call: ['POST', '/auth/send-email-verification'], answers: 'message' },
  {
    call: ['POST', '/auth/verify-email'],
    body: ({ email }) => ({ email, code: '000000' }),
    answers: '400 invalid-verification-code',
  },
  { call: ['GET', '/member'], answers: 'data' },
  { call: ['POST', '/member'], body: () => ({ customFields: { name: 'Ann' } }), answers: 'message' },
  { call: ['POST', '/member-auth'], body: ({ email }) => ({ email: `new-${email}` }), answers: 'message' },
  {
    call: ['POST', '/member-auth'],
    body: () => ({ oldPassword: password, newPassword }),
    answers: 'message',
  },
  {
    call: ['POST', '/member-auth'],
    body: () => ({ oldPassword: newPassword, newPassword }),
    answers: '400 invalid-credentials',
  },
  { call: ['POST', '/member/set-password'], body: () => ({ password }), answers: '400 invalid-password' },
  { call: ['GET', '/member/json'], answers: 'data' },
  { call: ['POST', '/member/json'], body: () => ({ json: { a: 1 } }), answers: 'data' },
  { call: ['GET', '/member/sessions'], answers: 'data' },
  { call: ['GET', '/member/export'], answers: 'data' },
  { call: ['DELETE', '/member/profile-image'], answers: 'message' },
  { call: ['POST', '/member/plans/add'], body: () => ({ planId: testPlans.free }), answers: 'data' },
  {
    call: ['POST', '/member/plans/add'],
    body: () => ({ planId: testPlans.yearly }),
    answers: '400 plan-not-free',
  },
  {
    call: ['POST', '/member/plans/add'],
    body: () => ({ planId: 'pln_none' }),
    answers: '404 plan-not-found',
  },
  {
    call: ['POST', '/member/disconnect-provider'],
    body: () => ({ provider: 'local' }),
    answers: '404 account-not-connected',
  },
  { call: ['POST', '/secure-content'], body: () => ({ contentId: 'welcome' }), answers: 'data' },
  {
    call: ['POST', '/secure-content'],
    body: () => ({ contentId: 'none' }),
    answers: '404 content-not-found',
  },
  { call: ['POST', '/page-view'], body: () => ({}), answers: 'data' },
  { call: ['POST', '/event'], body: () => ({}), answers: 'data' },
  { call: ['GET', '/comments/posts?channelKey=page'], answers: 'data' },
  {
    call: ['POST', '/comments/posts'],
    body: () => ({ channelKey: 'page', content: 'Hello' }),
    answers: 'data',
  },
  {
    call: ['POST', '/comments/channels/manage-subscription'],
    body: () => ({ channelKey: 'page', action: 'NONE' }),
    answers: 'data',
  },
  { call: ['POST', '/member/logout'], answers: 'message' },
  { call: ['DELETE', '/member'], answers: 'data' },
  { call: ['POST', '/member/team/join'], body: () => ({}), answers: '404 not-found' },
  { call: ['GET', '/v1/data-tables'], answers: '404 not-found' },
  { call: ['POST', '/nowhere'], body: () => ({}), answers: '404 not-found' },
]

/** What the clients send besides, and what they might: none of it makes a call fail. */
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
  id: 'mem_somebodyelse',
}
const oddQuery = '1234&_url=x&a=1&a=2&b[c]=d'

async function make(call: Call, odd: boolean) {
  const one = await members.signUp()
  const [method, url] = call.call
  const body = call.body?.(one)
  const asked = odd ? `${url}${url.includes('?') ? '&' : '?'}${oddQuery}` : url
  const sent = body === undefined ? {} : { body: odd ? { ...oddKeys, ...body } : body }
  return await members.call(method, asked, { headers: one.headers, ...sent })
}

/** Whatever is answered is in one of the three shapes, and nothing stands beside it. */
async function expectShape(reply: Awaited<ReturnType<typeof make>>, answers: string): Promise<void> {
  if (answers === 'data' || answers === 'message') {
    expect(reply.statusCode, reply.body).toBe(200)
    const shape = { data: expect.anything() }
    const message = { _internalUseOnly: { message: expect.stringMatching(/\w.*\.$/) } }
    expect(reply.json()).toEqual(answers === 'data' ? shape : { ...shape, ...message })
  } else {
    const { status, code, message } = refusalOf(reply)
    expect(`${status} ${code}`, reply.body).toBe(answers)
    expect(message).toMatch(/\w/)
    expect(reply.headers['cache-control']).toBe('no-store')
  }
}

describe('a membership call', () => {
  it.each(calls.map((call) => [call.call.join(' '), call.answers, call] as const))(
    '%s answers %s in its one shape',
    async (_name, answers, call) => expectShape(await make(call, false), answers),
  )

  it.each(calls.map((call) => [call.call.join(' '), call.answers, call] as const))(
    '%s answers %s as well with twenty odd keys and an odd query',
    async (_name, answers, call) => expectShape(await make(call, true), answers),
  )

  it('uploads an image beside odd fields, and answers a message', async () => {
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

  it('says the words that clients wait for after a login', async () => {
    const { email } = await members.signUp()
    const reply = await members.call('POST', '/auth/login', { body: { email, password } })
    expect(reply.json()._internalUseOnly).toEqual({ message: 'You have successfully logged in.' })
  })
})
