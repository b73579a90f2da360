import { describe, expect, vi } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { paymentTest, secondPaymentProcess } from '#test/fixtures.ts'
import { createTestMembers, type TestMember } from '#test/membership.ts'
import { paidPlansOf } from '#test/payments/payment-actions.ts'
import { testPrices } from '#test/sites/payment-site.ts'
import { waitOptions } from '#test/wait-options.ts'

const path = '/member/plans/create-checkout-session'

const it = paymentTest()
  .extend('other', { scope: 'file' }, secondPaymentProcess({ working: false }))
  .extend('disableWebhooks', { scope: 'file' }, ({ actions }) => actions.disableWebhooks)
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
    const { id: product } = await stripe.products.create({ name: 'Printed almanac' })
    const recurring = { interval: 'year' } as const
    const price = await stripe.prices.create({ product, currency: 'usd', unit_amount: 2_000, recurring })
    const theirs = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      success_url: 'https://store.example',
      line_items: [{ price: price.id, quantity: 1 }],
    })

    const url = await payments.openCheckout(ann, testPrices.yearly)

    const open = (await sessionsOf(ann)).filter(({ status }) => status === 'open')
    expect(open.map((session) => session.url).toSorted()).toEqual([url, theirs.url].toSorted())
    expect(await sessionsOf(ann)).toHaveLength(3)
  })

  it('leaves one session open after concurrent requests to two processes', async ({
    members,
    other,
    sessionsOf,
  }) => {
    const ben = await members.signUp()
    const elsewhere = createTestMembers(other)
    const prices = [testPrices.monthly, testPrices.yearly, testPrices.monthly]
    const replies = await Promise.all(
      prices.flatMap((priceId) =>
        [members, elsewhere].map((process) =>
          process.call('POST', path, { headers: ben.headers, body: { priceId } }),
        ),
      ),
    )
    const open = (await sessionsOf(ben)).filter(({ status }) => status === 'open')
    expect(open).toHaveLength(1)
    expect(replies.map((reply) => reply.json().data.url)).toContain(open[0]?.url)
  })

  it('rejects a checkout while the previous one is being paid, and shows the plan', async ({
    payments,
    members,
    disableWebhooks,
    customerOf,
    sessionsOf,
  }) => {
    await disableWebhooks()
    const cam = await members.signUp()
    const first = await payments.openCheckout(cam, testPrices.monthly)
    const { id: about } = await customerOf(cam)
    await payments.settle()
    await payments.controls.addFault({ kind: 'late', match: 'GET /v1/subscriptions', about, delayMs: 1_000 })
    const response = members.call('POST', path, {
      headers: cam.headers,
      body: { priceId: testPrices.yearly },
    })
    await vi.waitFor(async () => {
      const faults = await fetch(new URL('/stripe/faults', payments.stripeUrl))
      expect(await faults.json()).toEqual({ faults: [] })
    }, waitOptions)
    await payments.controls.completeCheckout(first)

    expect(refusalOf(await response)).toMatchObject({ status: 409, code: 'already-have-plan' })
    expect((await sessionsOf(cam)).map(({ status }) => status)).toEqual(['expired', 'complete'])
    await payments.settle()
    expect(paidPlansOf(await payments.memberOf(cam))).toMatchObject([{ active: true }])
  })

  it.for([
    ['the same price', testPrices.monthly],
    ['another price', testPrices.yearly],
  ] as const)(
    'shows a paid plan without its webhook when the member requests %s',
    async ([_what, priceId], { payments, site, members, disableWebhooks }) => {
      await disableWebhooks()
      const dan = await members.signUp()
      await payments.controls.completeCheckout(await payments.openCheckout(dan, testPrices.monthly))
      await members.call('POST', path, { headers: dan.headers, body: { priceId } })
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
    other,
    disableWebhooks,
    customerOf,
  }) => {
    await disableWebhooks()
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
