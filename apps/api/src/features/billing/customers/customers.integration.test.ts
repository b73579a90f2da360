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

/** The customers that the payment service has for a member, without deleted ones. */
async function customersOf(member: TestMember) {
  const all = await at.stripe.customers.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 })
  return all.filter(({ metadata }) => metadata.member === member.memberId).map(({ id }) => id)
}

/** Asks for a checkout at one of the two processes. */
async function askAt(turn: number, { headers }: TestMember, priceId: string = testPrices.monthly) {
  const { call } = turn % 2 === 0 ? at.members : createTestMembers(other)
  const body = { priceId }
  return await call('POST', '/member/plans/create-checkout-session', { headers, body })
}

describe('a member at the payment service', () => {
  it('is one customer, however many pages ask on however many processes', async () => {
    const ann = await at.members.signUp()
    const replies = await Promise.all(Array.from({ length: 20 }, (_, turn) => askAt(turn, ann)))
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 20 }, () => 200))
    const customers = await customersOf(ann)
    expect(customers).toHaveLength(1)
    expect((await at.memberOf(ann)).stripeCustomerId).toBe(customers[0])
    const { data } = await at.stripe.checkout.sessions.list({ customer: customers[0] ?? '', limit: 100 })
    expect(data).toHaveLength(20)
  })

  it('is one customer though the address changes while two pages ask', async () => {
    const bea = await at.members.signUp()
    await at.controls.addFault({
      kind: 'slow',
      match: 'POST /v1/customers',
      about: bea.memberId,
      delayMs: 300,
    })
    const slow = askAt(0, bea)
    const email = 'bea-anew@example.com'
    await at.members.call('POST', '/member-auth', { headers: bea.headers, body: { email } })
    const quick = await askAt(0, bea)
    expect([(await slow).statusCode, quick.statusCode]).toEqual([200, 200])
    const { stripeCustomerId } = await at.memberOf(bea)
    expect(await customersOf(bea)).toEqual([stripeCustomerId])
  })

  it('stays that customer for ever', async () => {
    const cam = await at.members.signUp()
    const { stripeCustomerId: first } = await at.subscribe(cam, testPrices.monthly)
    const { data } = await at.stripe.subscriptions.list({ customer: first ?? '' })
    await at.stripe.subscriptions.cancel(data[0]?.id ?? '')
    await at.settle()
    const again = await at.subscribe(cam, testPrices.yearly)
    expect(again.stripeCustomerId).toBe(first)
    expect(await customersOf(cam)).toEqual([first])
  })

  it('is told with the new plan by the other process too', async () => {
    const eva = await at.members.signUp()
    const { call } = createTestMembers(other)
    await call('GET', '/member', { headers: eva.headers })
    await at.subscribe(eva, testPrices.monthly)
    await waitForNotifications(other)
    const told = await call('GET', '/member', { headers: eva.headers })
    expect(told.json().data).toMatchObject({
      permissions: ['paid'],
      planConnections: [{ active: true }],
      stripeCustomerId: expect.stringMatching(/^cus_/),
    })
  })

  it('who would pay in two pages at once pays once', async () => {
    const fay = await at.members.signUp()
    const pages = await Promise.all([0, 1].map(async (turn) => (await askAt(turn, fay)).json().data.url))
    await Promise.all(pages.map((page) => at.controls.completeCheckout(page)))
    await at.settle()
    const { stripeCustomerId: customer, planConnections } = await at.memberOf(fay)
    expect(planConnections).toMatchObject([{ active: true, status: 'ACTIVE' }])
    const { data: living } = await at.stripe.subscriptions.list({ customer: customer ?? '' })
    expect(living).toHaveLength(1)
    const { data: charges } = await at.stripe.charges.list({ customer: customer ?? '' })
    expect(charges.map(({ refunded }) => refunded)).toEqual([false])
  })
})
