import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { createTestMembers, type TestMember } from '#test/membership.ts'
import { paidPlansOf } from '#test/payment-actions.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '#test/payment-site.ts'
import { startTestApp, type TestApp } from '#test/test-app.ts'
import { waitOptions } from '#test/wait-options.ts'

const path = '/member/plans/create-checkout-session'

let at: PaymentSite
/** Another process of the same site. */
let other: TestApp
beforeAll(async () => {
  at = await startPaymentSite()
  other = await startTestApp({ databaseUrl: at.databaseUrl, env: at.env, working: false })
})
afterAll(async () => {
  await other.close()
  await at.close()
})

/** Disables webhooks until the test ends. */
async function disableWebhooks(): Promise<void> {
  await at.controls.setWebhooks({ mode: 'off' })
  onTestFinished(async () => void (await at.controls.setWebhooks({ mode: 'on' })))
}

async function customerOf(member: TestMember) {
  const { stripeCustomerId } = await at.memberOf(member)
  return await at.site.context.database.db.paymentCustomer.findUniqueOrThrow({
    where: { id: stripeCustomerId ?? '' },
  })
}

/** Returns the member's checkout sessions, newest first. */
async function sessionsOf(member: TestMember) {
  const { id: customer } = await customerOf(member)
  return (await at.stripe.checkout.sessions.list({ customer, limit: 100 })).data
}

describe('POST /member/plans/create-checkout-session', () => {
  it("expires the member's open sessions, but not those of other integrations", async () => {
    const ann = await at.members.signUp()
    await at.openCheckout(ann, testPrices.monthly)
    const { id: customer } = await customerOf(ann)
    const { id: product } = await at.stripe.products.create({ name: 'Printed almanac' })
    const recurring = { interval: 'year' } as const
    const price = await at.stripe.prices.create({ product, currency: 'usd', unit_amount: 2_000, recurring })
    const theirs = await at.stripe.checkout.sessions.create({
      ...{ mode: 'subscription', customer, success_url: 'https://store.example' },
      line_items: [{ price: price.id, quantity: 1 }],
    })

    const url = await at.openCheckout(ann, testPrices.yearly)

    const open = (await sessionsOf(ann)).filter(({ status }) => status === 'open')
    expect(open.map((session) => session.url).toSorted()).toEqual([url, theirs.url].toSorted())
    expect(await sessionsOf(ann)).toHaveLength(3)
  })

  it('leaves one session open after concurrent requests to two processes', async () => {
    const ben = await at.members.signUp()
    const elsewhere = createTestMembers(other)
    const prices = [testPrices.monthly, testPrices.yearly, testPrices.monthly]
    const replies = await Promise.all(
      prices.flatMap((priceId) =>
        [at.members, elsewhere].map((process) =>
          process.call('POST', path, { headers: ben.headers, body: { priceId } }),
        ),
      ),
    )
    const open = (await sessionsOf(ben)).filter(({ status }) => status === 'open')
    expect(open).toHaveLength(1)
    expect(replies.map((reply) => reply.json().data.url)).toContain(open[0]?.url)
  })

  it('rejects a checkout while the previous one is being paid, and shows the plan', async () => {
    await disableWebhooks()
    const cam = await at.members.signUp()
    const first = await at.openCheckout(cam, testPrices.monthly)
    const { id: about } = await customerOf(cam)
    await at.settle()
    await at.controls.addFault({ kind: 'late', match: 'GET /v1/subscriptions', about, delayMs: 1_000 })
    const response = at.members.call('POST', path, {
      headers: cam.headers,
      body: { priceId: testPrices.yearly },
    })
    await vi.waitFor(async () => {
      const faults = await fetch(new URL('/stripe/faults', at.stripeUrl))
      expect(await faults.json()).toEqual({ faults: [] })
    }, waitOptions)
    await at.controls.completeCheckout(first)

    expect(refusalOf(await response)).toMatchObject({ status: 409, code: 'already-have-plan' })
    expect((await sessionsOf(cam)).map(({ status }) => status)).toEqual(['expired', 'complete'])
    await at.settle()
    expect(paidPlansOf(await at.memberOf(cam))).toMatchObject([{ active: true }])
  })

  it.each([
    ['the same price', testPrices.monthly],
    ['another price', testPrices.yearly],
  ])('shows a paid plan without its webhook when the member requests %s', async (_what, priceId) => {
    await disableWebhooks()
    const dan = await at.members.signUp()
    await at.controls.completeCheckout(await at.openCheckout(dan, testPrices.monthly))
    await at.members.call('POST', path, { headers: dan.headers, body: { priceId } })
    await at.settle()
    const connections = await at.site.context.database.db.planConnection.findMany({
      where: { memberId: dan.memberId },
    })
    expect(connections).toMatchObject([{ active: true, priceId: testPrices.monthly }])
  })
})

describe('GET /member after a checkout', () => {
  it('syncs the member in any process without a webhook', async () => {
    await disableWebhooks()
    const eva = await at.members.signUp()
    const elsewhere = createTestMembers(other)
    const read = async () => (await elsewhere.call('GET', '/member', { headers: eva.headers })).json().data
    const page = await at.openCheckout(eva, testPrices.monthly)
    expect(await read()).toMatchObject({ planConnections: [] })
    await at.settle()
    await at.controls.completeCheckout(page)
    at.site.clock.pass(5_000)
    other.clock.pass(5_000)

    await read()

    await vi.waitFor(async () => {
      expect(await read()).toMatchObject({ permissions: ['paid'], planConnections: [{ active: true }] })
    }, waitOptions)
    expect(await customerOf(eva)).toMatchObject({ checkoutOpenUntil: null })
  })

  it('syncs an unpaid checkout at most every five seconds, for a day', async () => {
    const fay = await at.members.signUp()
    await at.openCheckout(fay, testPrices.monthly)
    const syncCounts: number[] = []
    for (const passMs of [0, 4_999, 1, 24 * 3_600_000]) {
      at.site.clock.pass(passMs)
      await at.memberOf(fay)
      await at.settle()
      syncCounts.push((await customerOf(fay)).syncsStarted)
    }
    expect(syncCounts).toEqual([1, 1, 2, 2])
  })
})
