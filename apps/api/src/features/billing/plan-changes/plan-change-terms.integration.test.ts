import { planChangeRefusal } from '@tidings/contracts/membership/billing'
import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { addPlans, changeApp } from '#test/factories/app-settings.ts'
import type { TestMember } from '#test/membership.ts'
import { type PaymentActions, paidPlansOf, testCards } from '#test/payments/payment-actions.ts'
import { planChangeTest } from '#test/payments/plan-changes.ts'
import { type PaymentSite, testPrices } from '#test/sites/payment-site.ts'

const it = planChangeTest({ newLogins: true })
  /** A monthly subscriber whose renewal was declined. */
  .extend('pastDue', async ({ actions, subscriber }) => {
    const member = await subscriber(testPrices.monthly)
    await actions.changeCard(member, testCards.failsLater)
    await actions.pass(31)
    return member
  })

it.beforeAll(async ({ site }) => {
  await addPlans(site, [
    {
      id: 'pln_firm',
      name: 'Firm',
      prices: [price('prc_firm', 900, 'MONTHLY'), price('prc_firm-yearly', 9_000)],
    },
    { id: 'pln_moving', name: 'Moving', prices: [price('prc_moving', 9_500)] },
  ])
  await site.context.syncCatalog(() => {})
})

it.afterEach(({ actions }) => actions.cancelAll())

function price(id: string, amount: number, interval: 'MONTHLY' | 'YEARLY' = 'YEARLY') {
  return { id, amount, currency: 'usd', interval }
}

describe('a plan change as time passes', () => {
  it('credits the unused time of the old plan to an upgrade', async ({
    actions,
    subscriber,
    call,
    chargesOf,
  }) => {
    const ann = await subscriber(testPrices.monthly)
    await actions.pass(15)
    const preview = await call('change/preview', ann, testPrices.yearly)
    // Half of the month is left: 49.99 minus half of 4.99.
    expect(preview.json().data.amountDue).toBeCloseTo(47.49, 1)
    const made = await call('change', ann, testPrices.yearly)
    expect(made.json().data.change.amountDue).toBe(preview.json().data.amountDue)
    expect(await chargesOf(ann)).toEqual([Math.round(preview.json().data.amountDue * 100), 499])
  })

  it('starts a cheaper plan at the end of the paid period', async ({
    actions,
    subscriber,
    call,
    chargesOf,
  }) => {
    const bea = await subscriber(testPrices.yearly)
    await call('change', bea, testPrices.monthly)
    await actions.pass(364)
    expect(paidPlansOf(await actions.memberNow(bea))).toMatchObject([{ planName: 'Yearly', active: true }])
    await actions.pass(2)
    const member = await actions.memberNow(bea)
    expect(paidPlansOf(member)).toMatchObject([
      { planName: 'Monthly', active: true, payment: { priceId: testPrices.monthly, amount: 4.99 } },
    ])
    expect(member.permissions).toEqual(['paid'])
    expect(await chargesOf(bea)).toEqual([499, 4999])
  })

  it('never applies a canceled change', async ({ actions, subscriber, call, chargesOf }) => {
    const cam = await subscriber(testPrices.yearly)
    await call('change', cam, testPrices.monthly)
    await call('change', cam, testPrices.yearly)
    await actions.pass(366)
    expect(paidPlansOf(await actions.memberNow(cam))).toMatchObject([{ planName: 'Yearly', active: true }])
    expect(await chargesOf(cam)).toEqual([4999, 4999])
  })

  it('rejects a change while a payment is due', async ({ actions, pastDue, call, chargesOf }) => {
    expect(paidPlansOf(await actions.memberNow(pastDue))).toMatchObject([
      { status: 'PAST_DUE', active: true },
    ])
    for (const endpoint of ['change/preview', 'change']) {
      expect(refusalOf(await call(endpoint, pastDue, testPrices.yearly))).toEqual({
        status: 402,
        code: 'payment-due',
        message: 'Your last payment didn’t go through. Pay it on the billing page first.',
      })
    }
    expect(await chargesOf(pastDue)).toEqual([499])
  })

  it('opens the portal or the change-plan screen instead of a checkout while a payment is due', async ({
    actions,
    pastDue,
    call,
  }) => {
    const urls = []
    for (const priceId of [testPrices.monthly, testPrices.yearly])
      urls.push((await call('create-checkout-session', pastDue, priceId)).json().data.url)
    expect(urls).toEqual([
      expect.stringMatching(/\/stripe\/portal\/[^/]+$/),
      expect.stringMatching(/\/#\/account\/change-plan\?/),
    ])
    expect((await actions.subscriptionsOf(pastDue)).map(({ status }) => status)).toEqual(['past_due'])
  })
})

const minuteMs = 60_000
const half = { percent_off: 50, duration: 'forever' } as const

describe('a plan change with the terms of a preview', () => {
  it('charges exactly the previewed amount for 30 minutes', async ({
    actions,
    site,
    subscriber,
    call,
    preview,
    chargesOf,
  }) => {
    const ann = await subscriber('prc_firm')
    await actions.pass(10)
    const { data: terms } = await preview(ann, 'prc_firm-yearly')
    site.clock.pass(29 * minuteMs)
    expect((await preview(ann, 'prc_firm-yearly')).data.amountDue).not.toBe(terms.amountDue)
    const made = await call('change', ann, 'prc_firm-yearly', terms)
    // The new period begins with the change.
    const { renewal: _renewal, ...bound } = terms
    expect(made.json().data.change).toMatchObject(bound)
    expect(await chargesOf(ann)).toEqual([Math.round(terms.amountDue * 100), 90_000])
  })

  it('is rejected after 30 minutes with new terms, and accepted with those', async ({
    site,
    subscriber,
    call,
    preview,
    chargesOf,
  }) => {
    const bea = await subscriber('prc_firm')
    const { data: terms } = await preview(bea, 'prc_firm-yearly')
    site.clock.pass(30 * minuteMs)
    const refused = await call('change', bea, 'prc_firm-yearly', terms)
    expect(refusalOf(refused)).toEqual({
      status: 409,
      code: 'price-changed',
      message:
        'The price has changed since you saw it. Your plan is the same, and you weren’t charged. Check the new price and confirm again.',
    })
    const { terms: data } = planChangeRefusal.parse(refused.json()).error
    expect(data).toEqual((await preview(bea, 'prc_firm-yearly')).data)
    expect(await chargesOf(bea)).toEqual([90_000])
    expect((await call('change', bea, 'prc_firm-yearly', data)).statusCode).toBe(200)
    expect((await chargesOf(bea))[0]).toBe(Math.round((data?.amountDue ?? 0) * 100))
  })

  const changes: [
    reason: string,
    change: (payments: PaymentSite, actions: PaymentActions, member: TestMember) => Promise<unknown>,
  ][] = [
    [
      'the coupon is removed',
      async ({ stripe }, actions, member) =>
        stripe.subscriptions.update((await actions.subscriptionOf(member)).id, { discounts: '' }),
    ],
    [
      'credit is used up',
      async ({ stripe }, actions, member) =>
        stripe.customers.update(await actions.customerOf(member), { balance: 500 }),
    ],
    [
      'the price is raised by a sync',
      async ({ site }) => {
        const { plans } = await site.context.apps.siteApp()
        const raised = plans.map((plan) =>
          plan.id === 'pln_moving' ? { ...plan, prices: [price('prc_moving', 9_600)] } : plan,
        )
        await changeApp(site, { plans: raised })
        await site.context.syncCatalog(() => {})
      },
    ],
  ]
  it.for(changes)(
    'is rejected when %s, and charges nothing',
    async ([_reason, change], { payments, actions, subscriber, call, preview, chargesOf }) => {
      const cam = await subscriber('prc_firm', half)
      const { data: terms } = await preview(cam, 'prc_moving')
      await change(payments, actions, cam)
      const refused = await call('change', cam, 'prc_moving', terms)
      expect(refusalOf(refused)).toMatchObject({ status: 409, code: 'price-changed' })
      const { terms: data } = planChangeRefusal.parse(refused.json()).error
      expect(data?.amountDue).toBeGreaterThan(terms.amountDue)
      expect(await chargesOf(cam)).toEqual([45_000])
      expect((await actions.subscriptionOf(cam)).items.data[0]?.price.metadata.price).toBe('prc_firm')
    },
  )

  it('is rejected at period end when the renewal would cost more', async ({
    actions,
    stripe,
    subscriber,
    call,
    preview,
  }) => {
    const dan = await subscriber('prc_firm-yearly', half)
    const { data: terms, _internalUseOnly } = await preview(dan, 'prc_firm')
    expect(terms).toMatchObject({ amountDue: 0, renewalAmount: 450, regularAmount: 450, to: { amount: 900 } })
    expect(_internalUseOnly.message).toMatch(/Then Firm starts for \$450\.00 a month\.$/)
    await stripe.subscriptions.update((await actions.subscriptionOf(dan)).id, { discounts: '' })
    expect(refusalOf(await call('change', dan, 'prc_firm', terms)).code).toBe('price-changed')
    expect((await actions.subscriptionOf(dan)).schedule).toBeNull()
  })

  it('is rejected with terms that no preview returned', async ({ subscriber, call, preview, chargesOf }) => {
    const eva = await subscriber('prc_firm')
    const { data: terms } = await preview(eva, 'prc_firm-yearly')
    const inAMinute = new Date(Date.parse(terms.proratedAt) + 60_000).toISOString()
    for (const wrong of [
      { amountDue: 1 },
      { currency: 'eur' },
      { proratedAt: inAMinute },
      { renewalAmount: 1 },
    ]) {
      const reply = await call('change', eva, 'prc_firm-yearly', { ...terms, ...wrong })
      expect(refusalOf(reply), JSON.stringify(wrong)).toMatchObject({ status: 409, code: 'price-changed' })
    }
    const { proratedAt, ...two } = terms
    for (const part of [{ proratedAt }, two, { ...terms, currency: null }]) {
      expect(refusalOf(await call('change', eva, 'prc_firm-yearly', part))).toEqual({
        status: 400,
        code: 'invalid-request',
        message: 'amountDue, currency and proratedAt belong together: send all three of a preview, or none.',
      })
    }
    expect(await chargesOf(eva)).toEqual([90_000])
  })
})

describe('a discount', () => {
  it('is included in the shown and charged price', async ({
    actions,
    subscriber,
    call,
    preview,
    chargesOf,
  }) => {
    const fay = await subscriber('prc_firm', half)
    const { data, _internalUseOnly } = await preview(fay, 'prc_firm-yearly')
    expect(data).toMatchObject({ amountDue: 4_050, renewalAmount: 4_500, to: { amount: 9_000 } })
    expect(_internalUseOnly.message).toBe(
      'Firm starts now. You pay $4,050.00 today. It renews for $4,500.00 a year.',
    )
    const made = await call('change', fay, 'prc_firm-yearly', data)
    expect(made.json()._internalUseOnly.message).toBe(
      'Firm has started. You paid $4,050.00 today. It renews for $4,500.00 a year.',
    )
    expect(await chargesOf(fay)).toEqual([405_000, 45_000])
    await actions.pass(366)
    expect((await chargesOf(fay))[0]).toBe(450_000)
  })
})
