import type Stripe from 'stripe'
import { describe, expect } from 'vitest'
import { paymentMailTest } from '#test/fixtures.ts'
import { createAlmanac, sellInDashboard } from '#test/payments/almanac.ts'
import { paidPlansOf, testCards } from '#test/payments/payment-actions.ts'
import { testPrices } from '#test/sites/payment-site.ts'

const endedSubject = 'Your Tidings plan has ended'

const it = paymentMailTest()
  .extend('ann', ({ members }) => members.signUp())
  .extend('almanac', { scope: 'file' }, ({ stripe }) => createAlmanac(stripe))
  /** Opens a checkout of the almanac with the metadata of our own ones. */
  .extend(
    'openAlmanac',
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
  .extend('sellers', { scope: 'file' }, ({ actions, payments, stripe, almanac, openAlmanac }) => ({
    'sold in the dashboard': async (member: { memberId: string }): Promise<void> => {
      await sellInDashboard(stripe, await actions.customerOf(member), almanac.id)
    },
    'sold with our metadata': async (member: { memberId: string }): Promise<void> => {
      await payments.controls.completeCheckout((await openAlmanac(member)).url ?? '')
    },
  }))
  .extend('syncAll', { scope: 'file' }, ({ payments, site }) => async (customer: string): Promise<void> => {
    await payments.settle()
    await site.context.subscriptionSync.sync(customer)
    await site.context.reconciliation.reconcile()
    await payments.settle()
  })
  .extend('subjectsTo', { scope: 'file' }, ({ actions, inbox }) => async ({ email }: { email: string }) => {
    await actions.waitForEmails()
    return (await inbox.mailsTo(email)).map(({ subject }) => subject)
  })
  /** Moves a subscription to the almanac, as a person does in the dashboard. */
  .extend('move', { scope: 'file' }, ({ stripe, almanac }) => async ({ id, items }: Stripe.Subscription) => {
    const changed = [{ id: items.data[0]?.id ?? '', price: almanac.id }]
    await stripe.subscriptions.update(id, { items: changed, proration_behavior: 'none' })
  })
  /** Returns the statuses of a customer's subscriptions and the refunded amounts. */
  .extend('stripeStateOf', { scope: 'file' }, ({ stripe, almanac }) => async (customer: string) => {
    const { data } = await stripe.subscriptions.list({ customer, status: 'all' })
    const { data: charges } = await stripe.charges.list({ customer })
    const isAlmanac = ({ items }: Stripe.Subscription) => items.data[0]?.price.id === almanac.id
    return {
      almanac: data.filter(isAlmanac).map(({ status }) => status),
      digest: data.filter((one) => !isAlmanac(one)).map(({ status }) => status),
      refunded: charges.map(({ amount_refunded: refunded }) => refunded).filter((refunded) => refunded > 0),
    }
  })

const soldHow = ['sold in the dashboard', 'sold with our metadata'] as const

describe("a customer's subscription to another product", () => {
  it.for(['newer', 'older'].flatMap((age) => soldHow.map((how) => [age, how] as const)))(
    'and the plan do not affect each other when the subscription is %s and was %s',
    async ([age, how], { payments, actions, site, ann, sellers, syncAll, stripeStateOf }) => {
      const page = await payments.openCheckout(ann, testPrices.monthly)
      const customer = await actions.customerOf(ann)
      if (age === 'older') await sellers[how](ann)
      site.clock.pass(180_000)
      await payments.controls.completeCheckout(page)
      site.clock.pass(180_000)
      if (age === 'newer') await sellers[how](ann)
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
    stripe,
    ann,
    almanac,
    syncAll,
    stripeStateOf,
  }) => {
    await payments.subscribe(ann, testPrices.monthly)
    const customer = await actions.customerOf(ann)
    const { items } = await actions.subscriptionOf(ann)
    await sellInDashboard(stripe, customer, almanac.id)
    site.clock.pass(60_000)
    await sellInDashboard(stripe, customer, items.data[0]?.price.id ?? '')
    await syncAll(customer)
    expect(await stripeStateOf(customer)).toMatchObject({ almanac: ['active'], refunded: [499] })
  })

  it.for(soldHow)(
    'grants no plan and neither prevents nor loses to a checkout when it was %s',
    async (how, { payments, actions, stripe, ann, sellers, openAlmanac }) => {
      await payments.openCheckout(ann, testPrices.monthly)
      await sellers[how](ann)
      const { id: open } = await openAlmanac(ann)
      await payments.settle()
      expect(paidPlansOf(await payments.memberOf(ann))).toEqual([])
      expect(await payments.openCheckout(ann, testPrices.monthly)).toContain('/checkout/')
      expect((await stripe.checkout.sessions.retrieve(open)).status).toBe('open')
      expect(await actions.subscriptionsOf(ann)).toHaveLength(1)
    },
  )

  it('is kept with its invoices and open checkouts when the account is deleted', async ({
    payments,
    actions,
    site,
    members,
    stripe,
    ann,
    almanac,
    sellers,
    openAlmanac,
    syncAll,
    stripeStateOf,
  }) => {
    await payments.subscribe(ann, testPrices.monthly)
    const customer = await actions.customerOf(ann)
    site.clock.pass(180_000)
    const { id } = await sellInDashboard(stripe, customer, almanac.id)
    await sellers['sold with our metadata'](ann)
    const { id: withMetadata } = await openAlmanac(ann)
    const bad = await stripe.paymentMethods.attach(testCards.failsLater, { customer })
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
    const { almanac: almanacs, digest, refunded } = await stripeStateOf(customer)
    expect({ digest, refunded }).toEqual({ digest: ['canceled'], refunded: [] })
    expect(almanacs.filter((status) => status === 'active')).toHaveLength(2)
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active')
    for (const open of [session.id, withMetadata])
      expect((await stripe.checkout.sessions.retrieve(open)).status).toBe('open')
    const { data: invoices } = await stripe.invoices.list({ subscription: unpaid.id })
    expect(invoices.map(({ status }) => status)).toEqual(['open'])
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
    expect(await stripeStateOf(customer)).toEqual({ almanac: ['active'], digest: [], refunded: [] })
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
    await actions.disableWebhooks()
    await move(await actions.subscriptionOf(ann))
    await site.context.reconciliation.reconcile()
    expect(paidPlansOf(await actions.memberNow(ann))).toMatchObject([{ active: false, status: 'CANCELED' }])
    expect(await stripeStateOf(await actions.customerOf(ann))).toEqual({
      almanac: ['active'],
      digest: ['canceled'],
      refunded: [],
    })
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
