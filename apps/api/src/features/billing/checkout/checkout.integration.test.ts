import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { testPlans } from '#test/factories/plans.ts'
import { paymentTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'
import { testPrices } from '#test/sites/payment-site.ts'

const path = '/member/plans/create-checkout-session'
const card = { declined: '4000000000000002', wantsProof: '4000002500003155' }

const it = paymentTest()
  /** Requests a checkout and returns its error. */
  .extend(
    'checkoutError',
    { scope: 'file' },
    ({ members }) =>
      async (member: Pick<TestMember, 'headers'>, body: Record<string, unknown>) => {
        return refusalOf(await members.call('POST', path, { headers: member.headers, body }))
      },
  )
  /** Returns a member's checkout sessions at Stripe, newest first. */
  .extend('checkoutsOf', { scope: 'file' }, ({ payments, stripe }) => async (member: TestMember) => {
    const { stripeCustomerId } = await payments.memberOf(member)
    if (stripeCustomerId === null) return []
    return (await stripe.checkout.sessions.list({ customer: stripeCustomerId })).data
  })

describe('a completed checkout', () => {
  it('activates the plan', async ({ payments, members }) => {
    const ann = await members.signUp()
    const member = await payments.subscribe(ann, testPrices.monthly)
    expect(member.planConnections).toEqual([
      {
        id: expect.stringMatching(/^con_/),
        planId: testPlans.monthly,
        planName: 'Monthly',
        active: true,
        status: 'ACTIVE',
        type: 'SUBSCRIPTION',
        payment: {
          priceId: testPrices.monthly,
          amount: 4.99,
          currency: 'usd',
          interval: 'MONTHLY',
          status: 'PAID',
          lastBillingDate: '2026-11-20T17:00:00.000Z',
          nextBillingDate: '2026-12-20T17:00:00.000Z',
          cancelAtDate: null,
          renewal: {
            interval: 'MONTHLY',
            taxBehavior: null,
            amounts: [{ from: '2026-12-20T17:00:00.000Z', amount: 4.99, tax: 0 }],
          },
        },
      },
    ])
    expect(member.permissions).toEqual(['paid'])
    expect(member.stripeCustomerId).toMatch(/^cus_/)
  })

  it('shows a yearly plan with its price and next payment', async ({ payments, members }) => {
    const member = await payments.subscribe(await members.signUp(), testPrices.yearly)
    expect(member.planConnections).toMatchObject([
      {
        planId: testPlans.yearly,
        payment: { amount: 49.99, interval: 'YEARLY', nextBillingDate: '2027-11-20T17:00:00.000Z' },
      },
    ])
  })

  it('keeps a free plan', async ({ payments, members }) => {
    const bea = await members.signUp({ plans: [{ planId: testPlans.free }] })
    const { planConnections } = await payments.subscribe(bea, testPrices.monthly)
    expect(planConnections.map(({ planId, active }) => [planId, active])).toEqual([
      [testPlans.free, true],
      [testPlans.monthly, true],
    ])
  })

  it("belongs to the requesting member and has the member's address", async ({
    payments,
    members,
    stripe,
    checkoutsOf,
  }) => {
    const cam = await members.signUp()
    await payments.openCheckout(cam, testPrices.monthly)
    const [checkout] = await checkoutsOf(cam)
    const customer = await stripe.customers.retrieve(String(checkout?.customer))
    expect(customer).toMatchObject({ email: cam.email, metadata: { member: cam.memberId } })
    expect(checkout).toMatchObject({ client_reference_id: cam.memberId, mode: 'subscription' })
  })

  it('activates nothing with a declined card, and the plan with another card', async ({
    payments,
    members,
  }) => {
    const dan = await members.signUp()
    const page = await payments.openCheckout(dan, testPrices.monthly)
    expect(await payments.controls.completeCheckout(page, { card: card.declined })).toMatchObject({
      status: 'open',
      error: { code: 'card_declined' },
    })
    await payments.settle()
    expect(await payments.memberOf(dan)).toMatchObject({ planConnections: [], permissions: [] })
    await payments.controls.completeCheckout(page, { card: card.wantsProof })
    await payments.settle()
    expect((await payments.memberOf(dan)).permissions).toEqual(['paid'])
  })

  it('changes nothing before it is completed', async ({ payments, members }) => {
    const eva = await members.signUp()
    await payments.openCheckout(eva, testPrices.monthly)
    await payments.settle()
    const member = await payments.memberOf(eva)
    expect(member).toMatchObject({ planConnections: [], permissions: [] })
    expect(member.stripeCustomerId).toMatch(/^cus_/)
  })
})

describe('POST /member/plans/create-checkout-session', () => {
  it.for([
    ['no price', {}],
    ['a price that is not a string', { priceId: 7 }],
    ['an empty price', { priceId: '' }],
    ['a price id that is too long', { priceId: 'p'.repeat(101) }],
    ['a URL that is not a string', { priceId: testPrices.monthly, success_url: {} }],
    ['a URL that is too long', { priceId: testPrices.monthly, cancel_url: 'h'.repeat(2_001) }],
  ] as const)('rejects %s', async ([_what, body], { payments, members, checkoutError }) => {
    const fay = await members.signUp()
    expect((await checkoutError(fay, body)).status).toBe(400)
    expect((await payments.memberOf(fay)).stripeCustomerId).toBeNull()
  })

  it('ignores additional fields of newer clients', async ({ payments, members }) => {
    const gus = await members.signUp()
    const extras = { metadataForCheckout: { a: '1' }, allowSignup: true, _url: 'https://example.com' }
    expect(await payments.openCheckout(gus, testPrices.monthly, extras)).toMatch(/^http/)
  })

  it("rejects the subscriber's current plan", async ({ actions, checkoutError, checkoutsOf }) => {
    const hal = await actions.subscriber()
    expect(await checkoutError(hal, { priceId: testPrices.monthly })).toMatchObject({
      status: 409,
      code: 'already-have-plan',
    })
    expect(await checkoutsOf(hal)).toHaveLength(1)
  })

  it('sends a subscriber with another price to the change-plan screen', async ({
    payments,
    actions,
    site,
    checkoutsOf,
  }) => {
    const jim = await actions.subscriber()
    const { origin } = site.context.config.site.url
    expect(await payments.openCheckout(jim, testPrices.yearly)).toBe(
      `${origin}/#/account/change-plan?priceId=${testPrices.yearly}`,
    )
    expect(await checkoutsOf(jim)).toHaveLength(1)
  })

  it('fails after two failed attempts without a third', async ({ payments, members, checkoutError }) => {
    const leo = await members.signUp()
    await payments.openCheckout(leo, testPrices.monthly)
    const { stripeCustomerId: about } = await payments.memberOf(leo)
    const match = 'POST /v1/checkout/sessions'
    await payments.controls.addFault({ kind: 'server-error', match, about: about ?? '', times: 2 })
    expect((await checkoutError(leo, { priceId: testPrices.monthly })).code).toBe('payments-unavailable')
    expect(await payments.openCheckout(leo, testPrices.monthly)).toMatch(/^http/)
  })

  it('accepts a former subscriber as the same customer', async ({ payments, actions, stripe }) => {
    const kay = await actions.subscriber()
    const customer = await actions.customerOf(kay)
    await stripe.subscriptions.cancel((await actions.subscriptionOf(kay)).id)
    await payments.settle()
    expect((await payments.memberOf(kay)).permissions).toEqual([])
    const member = await payments.subscribe(kay, testPrices.monthly)
    expect(member.permissions).toEqual(['paid'])
    expect(member.planConnections).toMatchObject([{ planId: testPlans.monthly, status: 'ACTIVE' }])
    expect(member.stripeCustomerId).toBe(customer)
  })
})
