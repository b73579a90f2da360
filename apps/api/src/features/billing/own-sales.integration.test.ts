import type Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestMember } from '#test/membership.ts'
import { createPaymentActions, type PaymentActions } from '#test/payment-actions.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '#test/payment-site.ts'

let at: PaymentSite
let actions: PaymentActions
/** A product of the merchant outside the app. */
let almanac: Stripe.Price
let ann: TestMember
beforeAll(async () => {
  at = await startPaymentSite()
  actions = createPaymentActions(at)
  const product = await at.stripe.products.create({ name: 'Printed almanac' })
  almanac = await at.stripe.prices.create({
    ...{ product: product.id, currency: 'usd', unit_amount: 3_900, recurring: { interval: 'year' } },
  })
})
afterAll(() => at.close())
beforeEach(async () => {
  ann = await at.members.signUp()
})

/** Creates a subscription as the merchant does in the dashboard. */
async function sell(customer: string, price: string = almanac.id): Promise<Stripe.Subscription> {
  const { id } = await at.stripe.paymentMethods.attach('pm_card_visa', { customer })
  return await at.stripe.subscriptions.create({
    ...{ customer, items: [{ price }], default_payment_method: id },
  })
}

async function syncAll(customer: string): Promise<void> {
  await at.settle()
  await at.site.context.subscriptionSync.sync(customer)
  await at.site.context.reconciliation.reconcile()
  await at.settle()
}

/** Returns the statuses of a customer's subscriptions and the refunded amounts. */
async function stripeStateOf(customer: string) {
  const { data } = await at.stripe.subscriptions.list({ customer, status: 'all' })
  const { data: charges } = await at.stripe.charges.list({ customer })
  const isAlmanac = ({ items }: Stripe.Subscription) => items.data[0]?.price.id === almanac.id
  return {
    almanac: data.filter(isAlmanac).map(({ status }) => status),
    digest: data.filter((one) => !isAlmanac(one)).map(({ status }) => status),
    refunded: charges.flatMap(({ amount, refunded }) => (refunded ? [amount] : [])),
  }
}

describe("a customer's subscription to another product", () => {
  it.each(['newer', 'older'])(
    'and the plan do not affect each other when the subscription is %s',
    async (age) => {
      const page = await at.openCheckout(ann, testPrices.monthly)
      const customer = await actions.customerOf(ann)
      if (age === 'older') await sell(customer)
      at.site.clock.pass(60_000)
      await at.controls.completeCheckout(page)
      at.site.clock.pass(60_000)
      if (age === 'newer') await sell(customer)
      await syncAll(customer)
      expect(await stripeStateOf(customer)).toEqual({ almanac: ['active'], digest: ['active'], refunded: [] })
      expect((await at.memberOf(ann)).planConnections).toMatchObject([{ active: true, status: 'ACTIVE' }])
    },
  )

  it('is no duplicate, but a second subscription to the plan is', async () => {
    await at.subscribe(ann, testPrices.monthly)
    const customer = await actions.customerOf(ann)
    const { items } = await actions.subscriptionOf(ann)
    await sell(customer)
    at.site.clock.pass(60_000)
    await sell(customer, items.data[0]?.price.id ?? '')
    await syncAll(customer)
    expect(await stripeStateOf(customer)).toMatchObject({ almanac: ['active'], refunded: [499] })
  })

  it('grants no plan, so its customer can open a checkout', async () => {
    await at.openCheckout(ann, testPrices.monthly)
    await sell(await actions.customerOf(ann))
    expect(await at.openCheckout(ann, testPrices.monthly)).toContain('/checkout/')
  })

  it('is kept with its invoices and open checkouts when the account is deleted', async () => {
    await at.subscribe(ann, testPrices.monthly)
    const customer = await actions.customerOf(ann)
    at.site.clock.pass(120_000)
    const { id } = await sell(customer)
    const bad = await at.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })
    const unpaid = await at.stripe.subscriptions.create({
      ...{ customer, items: [{ price: almanac.id }], default_payment_method: bad.id },
      payment_behavior: 'allow_incomplete',
    })
    const session = await at.stripe.checkout.sessions.create({
      ...{ mode: 'subscription', customer, success_url: 'https://example.com/' },
      line_items: [{ price: almanac.id, quantity: 1 }],
    })
    expect((await at.members.call('DELETE', '/member', { headers: ann.headers })).statusCode).toBe(200)
    await syncAll(customer)
    expect(await stripeStateOf(customer)).toMatchObject({ digest: ['canceled'], refunded: [] })
    expect((await at.stripe.subscriptions.retrieve(id)).status).toBe('active')
    expect((await at.stripe.checkout.sessions.retrieve(session.id)).status).toBe('open')
    const { data: invoices } = await at.stripe.invoices.list({ subscription: unpaid.id })
    expect(invoices.map(({ status }) => status)).toEqual(['open'])
  })
})

describe("a price that the merchant added to a plan's product", () => {
  it('keeps the plan and shows its amount', async () => {
    const { planConnections: before } = await at.subscribe(ann, testPrices.monthly)
    const customer = await actions.customerOf(ann)
    const { id, items } = await actions.subscriptionOf(ann)
    const [item] = items.data
    const price = await at.stripe.prices.create({
      ...{ product: String(item?.price.product), currency: 'usd', unit_amount: 299 },
      recurring: { interval: 'month' },
    })
    const changed = [{ id: item?.id ?? '', price: price.id }]
    await at.stripe.subscriptions.update(id, { items: changed, proration_behavior: 'none' })
    await syncAll(customer)
    const { planConnections } = await at.memberOf(ann)
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
    expect((await at.members.call('POST', '/member/plans/change', upgrade)).statusCode).toBe(200)
  })
})
