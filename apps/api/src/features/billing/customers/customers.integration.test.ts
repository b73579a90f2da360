import { describe, expect } from 'vitest'
import { paymentTest, secondPaymentProcess } from '#test/fixtures.ts'
import { createTestMembers, type TestMember } from '#test/membership.ts'
import { testPrices } from '#test/sites/payment-site.ts'

const it = paymentTest()
  .extend('other', { scope: 'file' }, secondPaymentProcess())
  /** Returns the ids of a member's customers at Stripe, without deleted ones. */
  .extend('customersOf', { scope: 'file' }, ({ stripe }) => async (member: TestMember) => {
    const all = await stripe.customers.list({ limit: 100 }).autoPagingToArray({ limit: 1_000 })
    return all.filter(({ metadata }) => metadata.member === member.memberId).map(({ id }) => id)
  })
  /** Requests a checkout from one of the two processes. */
  .extend(
    'requestCheckoutFrom',
    { scope: 'file' },
    ({ members, other }) =>
      async (index: number, { headers }: TestMember, priceId: string = testPrices.monthly) => {
        const { call } = index % 2 === 0 ? members : createTestMembers(other)
        const body = { priceId }
        return await call('POST', '/member/plans/create-checkout-session', { headers, body })
      },
  )

describe('the Stripe customer of a member', () => {
  it('is created once for concurrent checkouts in two processes', async ({
    payments,
    members,
    stripe,
    customersOf,
    requestCheckoutFrom,
  }) => {
    const ann = await members.signUp()
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => requestCheckoutFrom(index, ann)),
    )
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 20 }, () => 200))
    const customers = await customersOf(ann)
    expect(customers).toHaveLength(1)
    expect((await payments.memberOf(ann)).stripeCustomerId).toBe(customers[0])
    const { data } = await stripe.checkout.sessions.list({ customer: customers[0] ?? '', limit: 100 })
    expect(data).toHaveLength(20)
  })

  it('is one for both checkouts when the email address changes between them', async ({
    payments,
    members,
    stripe,
    requestCheckoutFrom,
  }) => {
    const bea = await members.signUp()
    await payments.controls.addFault({
      kind: 'slow',
      match: 'POST /v1/customers',
      about: bea.memberId,
      delayMs: 300,
    })
    const slow = requestCheckoutFrom(0, bea)
    const email = 'bea-anew@example.com'
    await members.call('POST', '/member-auth', { headers: bea.headers, body: { email } })
    const quick = await requestCheckoutFrom(0, bea)
    expect([(await slow).statusCode, quick.statusCode]).toEqual([200, 200])
    const { stripeCustomerId } = await payments.memberOf(bea)
    const { data } = await stripe.checkout.sessions.list({ customer: stripeCustomerId ?? '' })
    expect(data).toHaveLength(2)
  })

  it('is charged once for two checkouts paid at the same time', async ({
    payments,
    members,
    stripe,
    requestCheckoutFrom,
  }) => {
    const fay = await members.signUp()
    const pages = await Promise.all(
      [0, 1].map(async (index) => (await requestCheckoutFrom(index, fay)).json().data.url),
    )
    await Promise.all(pages.map((page) => payments.controls.completeCheckout(page)))
    await payments.settle()
    const { stripeCustomerId: customer, planConnections } = await payments.memberOf(fay)
    expect(planConnections).toMatchObject([{ active: true, status: 'ACTIVE' }])
    const { data: running } = await stripe.subscriptions.list({ customer: customer ?? '' })
    expect(running).toHaveLength(1)
    const { data: charges } = await stripe.charges.list({ customer: customer ?? '' })
    expect(charges.map(({ refunded }) => refunded)).toEqual([false])
  })
})
