import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { testPlans } from '#test/factories/plans.ts'
import type { TestMember } from '#test/membership.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '#test/payment-site.ts'

const path = '/member/plans/create-checkout-session'
const card = { declined: '4000000000000002', wantsProof: '4000002500003155' }

let at: PaymentSite
beforeAll(async () => {
  at = await startPaymentSite()
})
afterAll(() => at.close())

/** Requests a checkout and returns its error. */
async function checkoutError(member: Pick<TestMember, 'headers'>, body: Record<string, unknown>) {
  return refusalOf(await at.members.call('POST', path, { headers: member.headers, body }))
}

/** Returns a member's checkout sessions at Stripe, newest first. */
async function checkoutsOf(member: TestMember) {
  const { stripeCustomerId } = await at.memberOf(member)
  if (stripeCustomerId === null) return []
  return (await at.stripe.checkout.sessions.list({ customer: stripeCustomerId })).data
}

describe('a completed checkout', () => {
  it('activates the plan', async () => {
    const ann = await at.members.signUp()
    const member = await at.subscribe(ann, testPrices.monthly)
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
        },
      },
    ])
    expect(member.permissions).toEqual(['paid'])
    expect(member.stripeCustomerId).toMatch(/^cus_/)
  })

  it('shows a yearly plan with its price and next payment', async () => {
    const member = await at.subscribe(await at.members.signUp(), testPrices.yearly)
    expect(member.planConnections).toMatchObject([
      {
        planId: testPlans.yearly,
        payment: { amount: 49.99, interval: 'YEARLY', nextBillingDate: '2027-11-20T17:00:00.000Z' },
      },
    ])
  })

  it('keeps a free plan', async () => {
    const bea = await at.members.signUp({ plans: [{ planId: testPlans.free }] })
    const { planConnections } = await at.subscribe(bea, testPrices.monthly)
    expect(planConnections.map(({ planId, active }) => [planId, active])).toEqual([
      [testPlans.free, true],
      [testPlans.monthly, true],
    ])
  })

  it("belongs to the requesting member and has the member's address", async () => {
    const cam = await at.members.signUp()
    await at.openCheckout(cam, testPrices.monthly)
    const [checkout] = await checkoutsOf(cam)
    const customer = await at.stripe.customers.retrieve(String(checkout?.customer))
    expect(customer).toMatchObject({ email: cam.email, metadata: { member: cam.memberId } })
    expect(checkout).toMatchObject({ client_reference_id: cam.memberId, mode: 'subscription' })
  })

  it('activates nothing with a declined card, and the plan with another card', async () => {
    const dan = await at.members.signUp()
    const page = await at.openCheckout(dan, testPrices.monthly)
    expect(await at.controls.completeCheckout(page, { card: card.declined })).toMatchObject({
      status: 'open',
      error: { code: 'card_declined' },
    })
    await at.settle()
    expect(await at.memberOf(dan)).toMatchObject({ planConnections: [], permissions: [] })
    await at.controls.completeCheckout(page, { card: card.wantsProof })
    await at.settle()
    expect((await at.memberOf(dan)).permissions).toEqual(['paid'])
  })

  it('changes nothing before it is completed', async () => {
    const eva = await at.members.signUp()
    await at.openCheckout(eva, testPrices.monthly)
    await at.settle()
    const member = await at.memberOf(eva)
    expect(member).toMatchObject({ planConnections: [], permissions: [] })
    expect(member.stripeCustomerId).toMatch(/^cus_/)
  })
})

describe('POST /member/plans/create-checkout-session', () => {
  it('requires a login', async () => {
    const reply = await at.members.call('POST', path, { body: { priceId: testPrices.monthly } })
    expect(refusalOf(reply)).toMatchObject({ status: 401, code: 'login-required' })
  })

  it.each([
    ['no price', {}],
    ['a price that is not a string', { priceId: 7 }],
    ['an empty price', { priceId: '' }],
    ['a price id that is too long', { priceId: 'p'.repeat(101) }],
    ['a URL that is not a string', { priceId: testPrices.monthly, success_url: {} }],
    ['a URL that is too long', { priceId: testPrices.monthly, cancel_url: 'h'.repeat(2_001) }],
  ])('rejects %s', async (_what, body) => {
    const fay = await at.members.signUp()
    expect((await checkoutError(fay, body)).status).toBe(400)
    expect((await at.memberOf(fay)).stripeCustomerId).toBeNull()
  })

  it('ignores additional fields of newer clients', async () => {
    const gus = await at.members.signUp()
    const extras = { metadataForCheckout: { a: '1' }, allowSignup: true, _url: 'https://example.com' }
    expect(await at.openCheckout(gus, testPrices.monthly, extras)).toMatch(/^http/)
  })

  it("rejects the subscriber's current plan", async () => {
    const hal = await at.members.signUp()
    await at.subscribe(hal, testPrices.monthly)
    expect(await checkoutError(hal, { priceId: testPrices.monthly })).toMatchObject({
      status: 409,
      code: 'already-have-plan',
    })
    expect(await checkoutsOf(hal)).toHaveLength(1)
  })

  it('rejects a subscriber even before the webhook of the payment arrives', async () => {
    const ida = await at.members.signUp()
    const page = await at.openCheckout(ida, testPrices.monthly)
    await at.controls.setWebhooks({ mode: 'hold' })
    try {
      await at.controls.completeCheckout(page)
      expect((await at.memberOf(ida)).planConnections).toEqual([])
      expect(await checkoutError(ida, { priceId: testPrices.monthly })).toMatchObject({
        code: 'already-have-plan',
      })
    } finally {
      await at.controls.setWebhooks({ mode: 'on' })
    }
    await at.settle()
    expect((await at.memberOf(ida)).permissions).toEqual(['paid'])
  })

  it('sends a subscriber with another price to confirm the change in the portal', async () => {
    const jim = await at.members.signUp()
    await at.subscribe(jim, testPrices.monthly)
    const url = await at.openCheckout(jim, testPrices.yearly)
    expect(new URL(url).pathname).toMatch(/^\/stripe\/portal\//)
    const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text()
    expect(page).toContain('Yearly')
    expect(page).toContain('$49.99')
    expect(await checkoutsOf(jim)).toHaveLength(1)
  })

  it('fails after two failed attempts without a third', async () => {
    const leo = await at.members.signUp()
    await at.openCheckout(leo, testPrices.monthly)
    const { stripeCustomerId: about } = await at.memberOf(leo)
    const match = 'POST /v1/checkout/sessions'
    await at.controls.addFault({ kind: 'server-error', match, about: about ?? '', times: 2 })
    expect((await checkoutError(leo, { priceId: testPrices.monthly })).code).toBe('payments-unavailable')
    expect(await at.openCheckout(leo, testPrices.monthly)).toMatch(/^http/)
  })

  it('accepts a former subscriber as the same customer', async () => {
    const kay = await at.members.signUp()
    await at.subscribe(kay, testPrices.monthly)
    const { stripeCustomerId: customer } = await at.memberOf(kay)
    const { data } = await at.stripe.subscriptions.list({ customer: customer ?? '' })
    await at.stripe.subscriptions.cancel(data[0]?.id ?? '')
    await at.settle()
    expect((await at.memberOf(kay)).permissions).toEqual([])
    const member = await at.subscribe(kay, testPrices.monthly)
    expect(member.permissions).toEqual(['paid'])
    expect(member.planConnections).toMatchObject([{ planId: testPlans.monthly, status: 'ACTIVE' }])
    expect(member.stripeCustomerId).toBe(customer)
  })
})
