import type { LightMyRequestResponse } from 'fastify'
import { describe, expect } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { refusalOf } from '#test/desk.ts'
import { testPlans } from '#test/factories/plans.ts'
import { paymentTest, siteTest } from '#test/fixtures.ts'
import type { TestMember, TestMembers } from '#test/membership.ts'
import { testPrices } from '#test/sites/payment-site.ts'

const paying = [
  ['/member/plans/create-checkout-session', { priceId: testPrices.monthly }],
  ['/member/create-billing-portal-session', {}],
  ['/member/plans/change/preview', { priceId: testPrices.yearly }],
  ['/member/plans/change', { priceId: testPrices.yearly }],
] as const

/** Requests of members that need no payments. */
const otherRequests: [
  what: string,
  act: (at: TestMembers, member: TestMember) => Promise<LightMyRequestResponse>,
][] = [
  ['read their account', ({ call }, { headers }) => call('GET', '/member', { headers })],
  ['read the plans', ({ call }) => call('GET', '/app')],
  ['log in', ({ call }, { email, password }) => call('POST', '/auth/login', { body: { email, password } })],
  [
    'change their fields',
    ({ call }, { headers }) => call('POST', '/member', { headers, body: { customFields: { name: 'Ann' } } }),
  ],
  [
    'change their address',
    ({ call }, { headers, email }) =>
      call('POST', '/member-auth', { headers, body: { email: `new-${email}` } }),
  ],
  [
    'take a free plan',
    ({ call }, { headers }) =>
      call('POST', '/member/plans/add', { headers, body: { planId: testPlans.free } }),
  ],
]

const it = siteTest()

const unsyncedTest = siteTest({
  env: {
    STRIPE_SECRET_KEY: 'sk_test_never',
    STRIPE_WEBHOOK_SECRET: 'whsec_never',
    STRIPE_API_URL: 'http://127.0.0.1:9',
  },
  overrides: { logger: createCapturedLog().logger },
})

const unavailableTest = paymentTest().extend('subscriber', { scope: 'file' }, ({ actions }) =>
  actions.subscriber(),
)

describe('a site without payments', () => {
  it.for(paying)('returns payments-not-set-up from %s', async ([path, body], { members }) => {
    const { headers } = await members.signUp()
    expect(refusalOf(await members.call('POST', path, { headers, body }))).toEqual({
      status: 503,
      code: 'payments-not-set-up',
      message: 'You can’t pay on this site yet. Try again later.',
    })
  })

  it.for(paying)('requires a login first at %s', async ([path, body], { members }) => {
    expect(refusalOf(await members.call('POST', path, { body })).code).toBe('login-required')
  })

  it.for(otherRequests)('lets members %s', async ([_what, act], { members }) => {
    expect((await act(members, await members.signUp())).statusCode).toBe(200)
  })

  it('lets members delete their account', async ({ members }) => {
    const { headers, memberId } = await members.signUp()
    const reply = await members.call('DELETE', '/member', { headers })
    expect(reply.json()).toEqual({ data: { id: memberId } })
  })

  it('rejects webhook events', async ({ members }) => {
    const headers = { 'stripe-signature': 't=1,v1=00' }
    const reply = await members.call('POST', '/webhooks/stripe', { headers, body: { id: 'evt_1' } })
    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-signature' })
  })
})

describe('a site whose prices were never synced to Stripe', () => {
  unsyncedTest.for([paying[0], paying[2]])(
    'returns payments-not-set-up from %s',
    async ([path, body], { members }) => {
      const { headers } = await members.signUp()
      expect(refusalOf(await members.call('POST', path, { headers, body })).code).toBe('payments-not-set-up')
    },
  )
})

describe('a site while Stripe is unavailable', () => {
  unavailableTest.beforeAll(async ({ payments, subscriber }) => {
    expect((await payments.memberOf(subscriber)).permissions).toEqual(['paid'])
    await payments.stopStripe()
  })

  unavailableTest.concurrent.for(paying)(
    'returns 503 to a subscriber from %s',
    async ([path, body], { members, subscriber }) => {
      const { headers } = subscriber
      const reply = await members.call('POST', path, { headers, body })
      expect(refusalOf(reply)).toMatchObject({ status: 503, code: 'payments-unavailable' })
      expect(reply.headers['retry-after']).toBe('10')
      expect(reply.body).not.toMatch(/stripe|ECONN|127\.0/i)
    },
  )

  unavailableTest(
    'opens no checkout for a new member and creates no customer',
    async ({ payments, members }) => {
      const member = await members.signUp()
      const [[path, body]] = paying
      const reply = await members.call('POST', path, { headers: member.headers, body })
      expect(refusalOf(reply)).toMatchObject({ status: 503, code: 'payments-unavailable' })
      expect((await payments.memberOf(member)).stripeCustomerId).toBeNull()
    },
  )

  unavailableTest.for(otherRequests)('lets members %s', async ([_what, act], { members }) => {
    expect((await act(members, await members.signUp())).statusCode).toBe(200)
  })

  unavailableTest('shows a subscriber the plan', async ({ payments, subscriber }) => {
    expect((await payments.memberOf(subscriber)).permissions).toEqual(['paid'])
  })
})
