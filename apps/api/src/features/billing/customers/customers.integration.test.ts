import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestMembers, type TestMember } from '#test/membership.ts'
import { waitForNotifications } from '#test/other-processes.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '#test/payment-site.ts'
import { startTestApp, type TestApp } from '#test/test-app.ts'

let at: PaymentSite
let other: TestApp
beforeAll(async () => {
  at = await startPaymentSite()
  other = await startTestApp({ databaseUrl: at.databaseUrl, env: at.env })
})
afterAll(async () => {
  await other.close()
  await at.close()
})

/** Returns the ids of a member's customers at Stripe, without deleted ones. */
async function customersOf(member: TestMember) {
  const all = await at.stripe.customers.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 })
  return all.filter(({ metadata }) => metadata.member === member.memberId).map(({ id }) => id)
}

/** Requests a checkout from one of the two processes. */
async function requestCheckoutFrom(
  index: number,
  { headers }: TestMember,
  priceId: string = testPrices.monthly,
) {
  const { call } = index % 2 === 0 ? at.members : createTestMembers(other)
  const body = { priceId }
  return await call('POST', '/member/plans/create-checkout-session', { headers, body })
}

describe('the Stripe customer of a member', () => {
  it('is created once for concurrent checkouts in two processes', async () => {
    const ann = await at.members.signUp()
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => requestCheckoutFrom(index, ann)),
    )
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 20 }, () => 200))
    const customers = await customersOf(ann)
    expect(customers).toHaveLength(1)
    expect((await at.memberOf(ann)).stripeCustomerId).toBe(customers[0])
    const { data } = await at.stripe.checkout.sessions.list({ customer: customers[0] ?? '', limit: 100 })
    expect(data).toHaveLength(20)
  })

  it('is created once when the email address changes during two checkouts', async () => {
    const bea = await at.members.signUp()
    await at.controls.addFault({
      kind: 'slow',
      match: 'POST /v1/customers',
      about: bea.memberId,
      delayMs: 300,
    })
    const slow = requestCheckoutFrom(0, bea)
    const email = 'bea-anew@example.com'
    await at.members.call('POST', '/member-auth', { headers: bea.headers, body: { email } })
    const quick = await requestCheckoutFrom(0, bea)
    expect([(await slow).statusCode, quick.statusCode]).toEqual([200, 200])
    const { stripeCustomerId } = await at.memberOf(bea)
    expect(await customersOf(bea)).toEqual([stripeCustomerId])
  })

  it('stays the same after a cancellation', async () => {
    const cam = await at.members.signUp()
    const { stripeCustomerId: first } = await at.subscribe(cam, testPrices.monthly)
    const { data } = await at.stripe.subscriptions.list({ customer: first ?? '' })
    await at.stripe.subscriptions.cancel(data[0]?.id ?? '')
    await at.settle()
    const again = await at.subscribe(cam, testPrices.yearly)
    expect(again.stripeCustomerId).toBe(first)
    expect(await customersOf(cam)).toEqual([first])
  })

  it('is returned with the new plan by another process', async () => {
    const eva = await at.members.signUp()
    const { call } = createTestMembers(other)
    await call('GET', '/member', { headers: eva.headers })
    await at.subscribe(eva, testPrices.monthly)
    await waitForNotifications(other)
    const seen = await call('GET', '/member', { headers: eva.headers })
    expect(seen.json().data).toMatchObject({
      permissions: ['paid'],
      planConnections: [{ active: true }],
      stripeCustomerId: expect.stringMatching(/^cus_/),
    })
  })

  it('is charged once for two checkouts paid at the same time', async () => {
    const fay = await at.members.signUp()
    const pages = await Promise.all(
      [0, 1].map(async (index) => (await requestCheckoutFrom(index, fay)).json().data.url),
    )
    await Promise.all(pages.map((page) => at.controls.completeCheckout(page)))
    await at.settle()
    const { stripeCustomerId: customer, planConnections } = await at.memberOf(fay)
    expect(planConnections).toMatchObject([{ active: true, status: 'ACTIVE' }])
    const { data: running } = await at.stripe.subscriptions.list({ customer: customer ?? '' })
    expect(running).toHaveLength(1)
    const { data: charges } = await at.stripe.charges.list({ customer: customer ?? '' })
    expect(charges.map(({ refunded }) => refunded)).toEqual([false])
  })
})
