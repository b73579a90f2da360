import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { refusalOf } from '#test/desk.ts'
import { testPlans } from '#test/factories/plans.ts'
import { createTestMembers, type TestMember, type TestMembers } from '#test/membership.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '#test/payment-site.ts'
import { startTestApp, type TestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'

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

describe('a site without payments', () => {
  let site: TestApp
  let members: TestMembers
  beforeAll(async () => {
    site = await startTestApp({ databaseUrl: await createTestDatabase() })
    members = createTestMembers(site)
  })
  afterAll(() => site.close())

  it.each(paying)('returns payments-not-set-up from %s', async (path, body) => {
    const { headers } = await members.signUp()
    expect(refusalOf(await members.call('POST', path, { headers, body }))).toEqual({
      status: 503,
      code: 'payments-not-set-up',
      message: "Payments aren't set up on this site yet. Please try again later.",
    })
  })

  it.each(paying)('requires a login first at %s', async (path, body) => {
    expect(refusalOf(await members.call('POST', path, { body })).code).toBe('login-required')
  })

  it.each(otherRequests)('lets members %s', async (_what, act) => {
    expect((await act(members, await members.signUp())).statusCode).toBe(200)
  })

  it('lets members delete their account', async () => {
    const { headers, memberId } = await members.signUp()
    const reply = await members.call('DELETE', '/member', { headers })
    expect(reply.json()).toEqual({ data: { id: memberId } })
  })

  it('rejects webhook events', async () => {
    const headers = { 'stripe-signature': 't=1,v1=00' }
    const reply = await members.call('POST', '/webhooks/stripe', { headers, body: { id: 'evt_1' } })
    expect(refusalOf(reply)).toMatchObject({ status: 400, code: 'invalid-signature' })
  })
})

describe('a site whose prices were never synced to Stripe', () => {
  it.each([paying[0], paying[2]])('returns payments-not-set-up from %s', async (path, body) => {
    const { logger } = createCapturedLog()
    const env = {
      STRIPE_SECRET_KEY: 'sk_test_never',
      STRIPE_WEBHOOK_SECRET: 'whsec_never',
      STRIPE_API_URL: 'http://127.0.0.1:9',
    }
    const site = await startTestApp({ databaseUrl: await createTestDatabase(), env, overrides: { logger } })
    try {
      const members = createTestMembers(site)
      const { headers } = await members.signUp()
      expect(refusalOf(await members.call('POST', path, { headers, body })).code).toBe('payments-not-set-up')
    } finally {
      await site.close()
    }
  })
})

describe('a site while Stripe is unavailable', () => {
  let at: PaymentSite
  let subscriber: TestMember
  beforeAll(async () => {
    at = await startPaymentSite()
    subscriber = await at.members.signUp()
    await at.subscribe(subscriber, testPrices.monthly)
    await at.stopStripe()
  })
  afterAll(() => at.close())

  it.concurrent.each(paying)('returns 503 to a subscriber from %s', async (path, body) => {
    const { headers } = subscriber
    const reply = await at.members.call('POST', path, { headers, body })
    expect(refusalOf(reply)).toMatchObject({ status: 503, code: 'payments-unavailable' })
    expect(reply.headers['retry-after']).toBe('10')
    expect(reply.body).not.toMatch(/stripe|ECONN|127\.0/i)
  })

  it('opens no checkout for a new member and creates no customer', async () => {
    const member = await at.members.signUp()
    const [[path, body]] = paying
    const reply = await at.members.call('POST', path, { headers: member.headers, body })
    expect(refusalOf(reply)).toMatchObject({ status: 503, code: 'payments-unavailable' })
    expect((await at.memberOf(member)).stripeCustomerId).toBeNull()
  })

  it('does not delete the account of a subscriber', async () => {
    const { headers } = subscriber
    const reply = await at.members.call('DELETE', '/member', { headers })
    expect(refusalOf(reply)).toMatchObject({ status: 503, code: 'payments-unavailable' })
    expect(await at.memberOf(subscriber)).toMatchObject({
      permissions: ['paid'],
      planConnections: [{ active: true }],
    })
  })

  it.each(otherRequests)('lets members %s', async (_what, act) => {
    expect((await act(at.members, await at.members.signUp())).statusCode).toBe(200)
  })

  it('shows a subscriber the plan', async () => {
    expect((await at.memberOf(subscriber)).permissions).toEqual(['paid'])
  })
})
