import { describe, expect, vi } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { paymentTest, secondPaymentProcess } from '#test/fixtures.ts'
import { createTestMembers, type TestMember } from '#test/membership.ts'
import { createAlmanac } from '#test/payments/almanac.ts'
import { paidPlansOf } from '#test/payments/payment-actions.ts'
import { testPrices } from '#test/sites/payment-site.ts'
import { waitOptions } from '#test/wait-options.ts'

const path = '/member/plans/create-checkout-session'

const it = paymentTest()
  .extend('other', { scope: 'file' }, secondPaymentProcess({ working: false }))
  .extend('customerOf', { scope: 'file' }, ({ payments, site }) => async (member: TestMember) => {
    const { stripeCustomerId } = await payments.memberOf(member)
    return await site.context.database.db.paymentCustomer.findUniqueOrThrow({
      where: { id: stripeCustomerId ?? '' },
    })
  })
  /** Returns the member's checkout sessions, newest first. */
  .extend('sessionsOf', { scope: 'file' }, ({ stripe, customerOf }) => async (member: TestMember) => {
    const { id: customer } = await customerOf(member)
    return (await stripe.checkout.sessions.list({ customer, limit: 100 })).data
  })
  /** Requests concurrent checkouts, of which every other one goes to the other process. */
  .extend(
    'requestTogether',
    { scope: 'file' },
    ({ members, other }) =>
      async ({ headers }: TestMember, priceIds: readonly string[]) => {
        const elsewhere = createTestMembers(other)
        return await Promise.all(
          priceIds.map((priceId, index) =>
            (index % 2 === 0 ? members : elsewhere).call('POST', path, { headers, body: { priceId } }),
          ),
        )
      },
  )

describe('POST /member/plans/create-checkout-session', () => {
  it("expires the member's open sessions, but not those of other integrations", async ({
    payments,
    members,
    stripe,
    customerOf,
    sessionsOf,
  }) => {
    const ann = await members.signUp()
    await payments.openCheckout(ann, testPrices.monthly)
    const { id: customer } = await customerOf(ann)
    const almanac = await createAlmanac(stripe)
    const theirs = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      success_url: 'https://store.example',
      line_items: [{ price: almanac.id, quantity: 1 }],
    })

    const url = await payments.openCheckout(ann, testPrices.yearly)

    const open = (await sessionsOf(ann)).filter(({ status }) => status === 'open')
    expect(open.map((session) => session.url).toSorted()).toEqual([url, theirs.url].toSorted())
    expect(await sessionsOf(ann)).toHaveLength(3)
  })

  it('creates one customer and leaves one session open for concurrent requests to two processes', async ({
    payments,
    members,
    stripe,
    sessionsOf,
    requestTogether,
  }) => {
    const ben = await members.signUp()
    const prices = Array.from({ length: 20 }, (_, index) =>
      index % 3 === 0 ? testPrices.yearly : testPrices.monthly,
    )
    const replies = await requestTogether(ben, prices)
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(prices.map(() => 200))
    const all = await stripe.customers.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 })
    const customers = all.filter(({ metadata }) => metadata.member === ben.memberId).map(({ id }) => id)
    expect(customers).toEqual([(await payments.memberOf(ben)).stripeCustomerId])
    const sessions = await sessionsOf(ben)
    expect(sessions).toHaveLength(20)
    const open = sessions.filter(({ status }) => status === 'open')
    expect(open).toHaveLength(1)
    expect(replies.map((reply) => reply.json().data.url)).toContain(open[0]?.url)
  })

  it('charges once for two checkouts that are paid at the same time', async ({
    payments,
    members,
    stripe,
    requestTogether,
  }) => {
    const gus = await members.signUp()
    const replies = await requestTogether(gus, [testPrices.monthly, testPrices.monthly])
    await Promise.all(replies.map((reply) => payments.controls.completeCheckout(reply.json().data.url)))
    await payments.settle()
    const { stripeCustomerId, planConnections } = await payments.memberOf(gus)
    const customer = stripeCustomerId ?? ''
    expect(planConnections).toMatchObject([{ active: true, status: 'ACTIVE' }])
    expect((await stripe.subscriptions.list({ customer })).data).toHaveLength(1)
    const { data: charges } = await stripe.charges.list({ customer })
    expect(charges.map(({ refunded }) => refunded)).toEqual([false])
  })

  it('rejects a checkout while the previous one is being paid, and shows the plan', async ({
    payments,
    actions,
    members,
    customerOf,
    sessionsOf,
  }) => {
    await actions.disableWebhooks()
    const cam = await members.signUp()
    const first = await payments.openCheckout(cam, testPrices.monthly)
    const { id: about } = await customerOf(cam)
    await payments.settle()
    const held = await actions.hold({ kind: 'late', match: 'GET /v1/subscriptions', about })
    const response = members.call('POST', path, {
      headers: cam.headers,
      body: { priceId: testPrices.yearly },
    })
    await held.arrived()
    await payments.controls.completeCheckout(first)
    await held.release()

    expect(refusalOf(await response)).toMatchObject({ status: 409, code: 'already-have-plan' })
    expect((await sessionsOf(cam)).map(({ status }) => status)).toEqual(['expired', 'complete'])
    await payments.settle()
    expect(paidPlansOf(await payments.memberOf(cam))).toMatchObject([{ active: true }])
  })

  it.for([
    ['the same price', testPrices.monthly, { error: { code: 'already-have-plan' } }],
    [
      'another price',
      testPrices.yearly,
      { data: { url: expect.stringContaining('/#/account/change-plan?') } },
    ],
  ] as const)(
    'shows a paid plan without its webhook when the member requests %s',
    async ([_what, priceId, response], { payments, actions, site, members }) => {
      await actions.disableWebhooks()
      const dan = await members.signUp()
      await payments.controls.completeCheckout(await payments.openCheckout(dan, testPrices.monthly))
      expect((await payments.memberOf(dan)).planConnections).toEqual([])
      const reply = await members.call('POST', path, { headers: dan.headers, body: { priceId } })
      expect(reply.json()).toMatchObject(response)
      await payments.settle()
      const connections = await site.context.database.db.planConnection.findMany({
        where: { memberId: dan.memberId },
      })
      expect(connections).toMatchObject([{ active: true, priceId: testPrices.monthly }])
    },
  )
})

describe('GET /member after a checkout', () => {
  it('syncs the member in any process without a webhook', async ({
    payments,
    site,
    members,
    actions,
    other,
    customerOf,
  }) => {
    await actions.disableWebhooks()
    const eva = await members.signUp()
    const elsewhere = createTestMembers(other)
    const read = async () => (await elsewhere.call('GET', '/member', { headers: eva.headers })).json().data
    const page = await payments.openCheckout(eva, testPrices.monthly)
    expect(await read()).toMatchObject({ planConnections: [] })
    await payments.settle()
    await payments.controls.completeCheckout(page)
    site.clock.pass(5_000)
    other.clock.pass(5_000)

    await read()

    await vi.waitFor(async () => {
      expect(await read()).toMatchObject({ permissions: ['paid'], planConnections: [{ active: true }] })
    }, waitOptions)
    expect(await customerOf(eva)).toMatchObject({ checkoutOpenUntil: null })
  })

  it('syncs an unpaid checkout at most every five seconds, for a day', async ({
    payments,
    site,
    members,
    customerOf,
  }) => {
    const fay = await members.signUp()
    await payments.openCheckout(fay, testPrices.monthly)
    const start = site.clock.now().getTime()
    const syncedAfter: number[] = []
    for (const passMs of [0, 4_999, 1, 24 * 3_600_000]) {
      site.clock.pass(passMs)
      await payments.memberOf(fay)
      await payments.settle()
      syncedAfter.push(((await customerOf(fay)).syncedAt?.getTime() ?? 0) - start)
    }
    expect(syncedAfter).toEqual([0, 0, 5_000, 5_000])
  })
})
