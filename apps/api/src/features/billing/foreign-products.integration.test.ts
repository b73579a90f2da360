import type Stripe from 'stripe'
import { describe, expect } from 'vitest'
import { paymentMailTest } from '#test/fixtures.ts'
import { paidPlansOf } from '#test/payments/payment-actions.ts'
import { testPrices } from '#test/sites/payment-site.ts'

const endedSubject = 'Your Tidings plan has ended'

const it = paymentMailTest()
  .extend('ann', ({ members }) => members.signUp())
  /** A yearly price of the merchant for another product. */
  .extend('almanac', { scope: 'file' }, async ({ stripe }) => {
    const { id: product } = await stripe.products.create({ name: 'Printed almanac' })
    const offer = { product, currency: 'usd', unit_amount: 3_900 }
    return await stripe.prices.create({ ...offer, recurring: { interval: 'year' } })
  })
  /** Opens a checkout of the almanac with the metadata of our own ones. */
  .extend(
    'sellAlmanac',
    { scope: 'file' },
    ({ actions, site, stripe, almanac }) =>
      async (member: { memberId: string }): Promise<Stripe.Checkout.Session> => {
        const metadata = { app: site.context.config.site.appId, member: member.memberId }
        return await stripe.checkout.sessions.create({
          mode: 'subscription',
          customer: await actions.customerOf(member),
          success_url: 'https://example.com/',
          line_items: [{ price: almanac.id, quantity: 1 }],
          metadata: { ...metadata, checkout: '9' },
          subscription_data: { metadata },
        })
      },
  )
  .extend('subjectsTo', { scope: 'file' }, ({ actions, inbox }) => async ({ email }: { email: string }) => {
    await actions.waitForEmails()
    return (await inbox.mailsTo(email)).map(({ subject }) => subject)
  })
  /** Moves a subscription to the almanac, as a person does in the dashboard. */
  .extend('move', { scope: 'file' }, ({ stripe, almanac }) => async ({ id, items }: Stripe.Subscription) => {
    const changed = [{ id: items.data[0]?.id ?? '', price: almanac.id }]
    await stripe.subscriptions.update(id, { items: changed, proration_behavior: 'none' })
  })
  /** Returns the statuses of a customer's subscriptions and the refunded amount. */
  .extend('stripeStateOf', { scope: 'file' }, ({ stripe }) => async (customer: string) => {
    const { data: subscriptions } = await stripe.subscriptions.list({ customer, status: 'all' })
    const { data: charges } = await stripe.charges.list({ customer })
    return {
      statuses: subscriptions.map(({ status }) => status),
      refunded: charges.reduce((sum, { amount_refunded: refunded }) => sum + refunded, 0),
    }
  })

it.beforeEach(({ payments }) => payments.controls.setWebhooks({ mode: 'on' }).then(() => undefined))

describe("another product's subscription with our metadata", () => {
  it('is neither a duplicate nor ended with the account, and its checkouts stay open', async ({
    payments,
    actions,
    site,
    members,
    stripe,
    ann,
    sellAlmanac,
    stripeStateOf,
  }) => {
    await payments.subscribe(ann, testPrices.monthly)
    const customer = await actions.customerOf(ann)
    site.clock.pass(180_000)
    await payments.controls.completeCheckout((await sellAlmanac(ann)).url ?? '')
    const { id: open } = await sellAlmanac(ann)
    await payments.settle()
    await site.context.reconciliation.reconcile()
    expect(await stripeStateOf(customer)).toEqual({ statuses: ['active', 'active'], refunded: 0 })
    expect((await members.call('DELETE', '/member', { headers: ann.headers })).statusCode).toBe(200)
    await payments.settle()
    expect(await stripeStateOf(customer)).toEqual({ statuses: ['active', 'canceled'], refunded: 0 })
    expect((await stripe.checkout.sessions.retrieve(open)).status).toBe('open')
  })

  it('grants no plan and neither prevents nor loses to a checkout', async ({
    payments,
    actions,
    stripe,
    ann,
    sellAlmanac,
  }) => {
    await payments.openCheckout(ann, testPrices.monthly)
    await payments.controls.completeCheckout((await sellAlmanac(ann)).url ?? '')
    const { id: open } = await sellAlmanac(ann)
    await payments.settle()
    expect(paidPlansOf(await payments.memberOf(ann))).toEqual([])
    expect(await payments.openCheckout(ann, testPrices.monthly)).toContain('/checkout/')
    expect((await stripe.checkout.sessions.retrieve(open)).status).toBe('open')
    expect(await actions.subscriptionsOf(ann)).toHaveLength(1)
  })
})

describe('a subscription that the merchant moves to another product', () => {
  it('ends the plan with an email and stays at Stripe', async ({
    payments,
    actions,
    site,
    ann,
    move,
    subjectsTo,
    stripeStateOf,
  }) => {
    await payments.subscribe(ann, testPrices.monthly)
    const customer = await actions.customerOf(ann)
    await move(await actions.subscriptionOf(ann))
    await payments.settle()
    await site.context.reconciliation.reconcile()
    const member = await payments.memberOf(ann)
    expect(paidPlansOf(member)).toMatchObject([{ active: false, status: 'CANCELED' }])
    expect(member.permissions).toEqual([])
    expect((await subjectsTo(ann)).filter((subject) => subject === endedSubject)).toHaveLength(1)
    expect(await stripeStateOf(customer)).toEqual({ statuses: ['active'], refunded: 0 })
  })

  it('ends the plan without an event, also beside an earlier subscription', async ({
    payments,
    actions,
    site,
    stripe,
    ann,
    move,
    stripeStateOf,
  }) => {
    await payments.subscribe(ann, testPrices.monthly)
    await stripe.subscriptions.cancel((await actions.subscriptionOf(ann)).id)
    await payments.settle()
    site.clock.pass(60_000)
    await payments.subscribe(ann, testPrices.monthly)
    await actions.pass(40)
    await payments.controls.setWebhooks({ mode: 'off' })
    await move(await actions.subscriptionOf(ann))
    await site.context.reconciliation.reconcile()
    expect(paidPlansOf(await actions.memberNow(ann))).toMatchObject([{ active: false, status: 'CANCELED' }])
    const { statuses, refunded } = await stripeStateOf(await actions.customerOf(ann))
    expect(statuses).toEqual(['active', 'canceled'])
    expect(refunded).toBe(0)
  })

  it('does not keep its member from subscribing again', async ({ payments, actions, ann, move }) => {
    await payments.subscribe(ann, testPrices.monthly)
    await move(await actions.subscriptionOf(ann))
    await payments.settle()
    await payments.subscribe(ann, testPrices.monthly)
    expect(paidPlansOf(await payments.memberOf(ann))).toMatchObject([{ active: true, status: 'ACTIVE' }])
  })

  it('is not canceled for a dispute about it', async ({ payments, actions, ann, move }) => {
    await payments.subscribe(ann, testPrices.monthly)
    await move(await actions.subscriptionOf(ann))
    await payments.settle()
    await payments.controls.openDispute(await actions.chargeOf(ann))
    await payments.settle()
    expect((await actions.subscriptionOf(ann)).status).toBe('active')
  })
})
