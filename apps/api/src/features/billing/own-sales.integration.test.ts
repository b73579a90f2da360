import type Stripe from 'stripe'
import { describe, expect } from 'vitest'
import { paymentTest } from '#test/fixtures.ts'
import { testPrices } from '#test/sites/payment-site.ts'

const it = paymentTest()
  .extend('ann', ({ members }) => members.signUp())
  /** A price of the merchant for a product outside the app. */
  .extend('almanac', { scope: 'file' }, async ({ stripe }) => {
    const { id: product } = await stripe.products.create({ name: 'Printed almanac' })
    return await stripe.prices.create({
      product,
      currency: 'usd',
      unit_amount: 3_900,
      recurring: { interval: 'year' },
    })
  })
  /** Creates a subscription as the merchant does in the dashboard. */
  .extend(
    'sell',
    { scope: 'file' },
    ({ stripe, almanac }) =>
      async (customer: string, price: string = almanac.id): Promise<Stripe.Subscription> => {
        const { id } = await stripe.paymentMethods.attach('pm_card_visa', { customer })
        return await stripe.subscriptions.create({
          customer,
          items: [{ price }],
          default_payment_method: id,
        })
      },
  )
  .extend('syncAll', { scope: 'file' }, ({ payments, site }) => async (customer: string): Promise<void> => {
    await payments.settle()
    await site.context.subscriptionSync.sync(customer)
    await site.context.reconciliation.reconcile()
    await payments.settle()
  })
  /** Returns the statuses of a customer's subscriptions and the refunded amounts. */
  .extend('stripeStateOf', { scope: 'file' }, ({ stripe, almanac }) => async (customer: string) => {
    const { data } = await stripe.subscriptions.list({ customer, status: 'all' })
    const { data: charges } = await stripe.charges.list({ customer })
    const isAlmanac = ({ items }: Stripe.Subscription) => items.data[0]?.price.id === almanac.id
    return {
      almanac: data.filter(isAlmanac).map(({ status }) => status),
      digest: data.filter((one) => !isAlmanac(one)).map(({ status }) => status),
      refunded: charges.flatMap(({ amount, refunded }) => (refunded ? [amount] : [])),
    }
  })

describe("a customer's subscription to another product", () => {
  it.for(['newer', 'older'])(
    'and the plan do not affect each other when the subscription is %s',
    async (age, { payments, actions, site, ann, sell, syncAll, stripeStateOf }) => {
      const page = await payments.openCheckout(ann, testPrices.monthly)
      const customer = await actions.customerOf(ann)
      if (age === 'older') await sell(customer)
      site.clock.pass(60_000)
      await payments.controls.completeCheckout(page)
      site.clock.pass(60_000)
      if (age === 'newer') await sell(customer)
      await syncAll(customer)
      expect(await stripeStateOf(customer)).toEqual({ almanac: ['active'], digest: ['active'], refunded: [] })
      expect((await payments.memberOf(ann)).planConnections).toMatchObject([
        { active: true, status: 'ACTIVE' },
      ])
    },
  )

  it('is no duplicate, but a second subscription to the plan is', async ({
    payments,
    actions,
    site,
    ann,
    sell,
    syncAll,
    stripeStateOf,
  }) => {
    await payments.subscribe(ann, testPrices.monthly)
    const customer = await actions.customerOf(ann)
    const { items } = await actions.subscriptionOf(ann)
    await sell(customer)
    site.clock.pass(60_000)
    await sell(customer, items.data[0]?.price.id ?? '')
    await syncAll(customer)
    expect(await stripeStateOf(customer)).toMatchObject({ almanac: ['active'], refunded: [499] })
  })

  it('grants no plan, so its customer can open a checkout', async ({ payments, actions, ann, sell }) => {
    await payments.openCheckout(ann, testPrices.monthly)
    await sell(await actions.customerOf(ann))
    expect(await payments.openCheckout(ann, testPrices.monthly)).toContain('/checkout/')
  })

  it('is kept with its invoices and open checkouts when the account is deleted', async ({
    payments,
    actions,
    site,
    members,
    stripe,
    ann,
    almanac,
    sell,
    syncAll,
    stripeStateOf,
  }) => {
    await payments.subscribe(ann, testPrices.monthly)
    const customer = await actions.customerOf(ann)
    site.clock.pass(120_000)
    const { id } = await sell(customer)
    const bad = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
    const unpaid = await stripe.subscriptions.create({
      customer,
      items: [{ price: almanac.id }],
      default_payment_method: bad.id,
      payment_behavior: 'allow_incomplete',
    })
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      success_url: 'https://example.com/',
      line_items: [{ price: almanac.id, quantity: 1 }],
    })
    expect((await members.call('DELETE', '/member', { headers: ann.headers })).statusCode).toBe(200)
    await syncAll(customer)
    expect(await stripeStateOf(customer)).toMatchObject({ digest: ['canceled'], refunded: [] })
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active')
    expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe('open')
    const { data: invoices } = await stripe.invoices.list({ subscription: unpaid.id })
    expect(invoices.map(({ status }) => status)).toEqual(['open'])
  })
})

describe("a price that the merchant added to a plan's product", () => {
  it('keeps the plan and shows its amount', async ({ payments, actions, members, stripe, ann, syncAll }) => {
    const { planConnections: before } = await payments.subscribe(ann, testPrices.monthly)
    const customer = await actions.customerOf(ann)
    const { id, items } = await actions.subscriptionOf(ann)
    const [item] = items.data
    const price = await stripe.prices.create({
      product: String(item?.price.product),
      currency: 'usd',
      unit_amount: 299,
      recurring: { interval: 'month' },
    })
    const changed = [{ id: item?.id ?? '', price: price.id }]
    await stripe.subscriptions.update(id, { items: changed, proration_behavior: 'none' })
    await syncAll(customer)
    const { planConnections } = await payments.memberOf(ann)
    expect(planConnections).toMatchObject([
      {
        id: before[0]?.id,
        planId: before[0]?.planId,
        active: true,
        status: 'ACTIVE',
        payment: { amount: 2.99, priceId: testPrices.monthly },
      },
    ])
    const upgrade = { headers: ann.headers, body: { priceId: testPrices.yearly } }
    expect((await members.call('POST', '/member/plans/change', upgrade)).statusCode).toBe(200)
  })
})
