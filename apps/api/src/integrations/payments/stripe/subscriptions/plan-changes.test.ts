import { describe, expect } from 'vitest'
import { CardDeclinedError, SubscriptionChangedError } from '#integrations/payments/gateway-errors.ts'
import {
  newest,
  paidInvoices,
  storeTest,
  subscribed,
  subscribedWith,
  useCard,
} from '#test/payments/stripe-store.ts'

const it = storeTest()

describe('changeNow', () => {
  it('charges the previewed amount', async ({ store }) => {
    const { gateway, yearly } = store
    const { customerId, subscription } = await subscribed(store)
    const { periodStartsAt: proratedAt } = subscription
    expect(await gateway.previewChange(subscription, yearly.id, proratedAt)).toMatchObject({
      due: { amount: 4_999 - 499, currency: 'usd' },
      renewal: { amount: 4_999, regularAmount: 4_999, currency: 'usd' },
    })
    await gateway.changeNow(subscription, yearly.id, proratedAt)
    expect(await newest(gateway, customerId)).toMatchObject({
      id: subscription.id,
      status: 'active',
      priceId: yearly.id,
      price: { amount: 4_999, interval: 'yearly' },
      periodEndsAt: new Date('2027-11-20T18:00:00Z'),
      latestInvoice: { isPaid: true, amount: 4_500 },
    })
    expect(await paidInvoices(store, customerId)).toEqual([499, 4_500])
  })

  it('charges once when it is repeated', async ({ store }) => {
    const { gateway, controls, yearly } = store
    const { customerId, subscription } = await subscribed(store)
    const { periodStartsAt: proratedAt } = subscription
    await Promise.all([1, 2].map(() => gateway.changeNow(subscription, yearly.id, proratedAt)))
    // The repeated change makes no call to Stripe.
    await controls.addFault({ kind: 'rate-limit', match: 'POST /v1/subscriptions' })
    await gateway.changeNow(subscription, yearly.id, new Date(proratedAt.getTime() + 1_000))
    await controls.clearFaults()
    expect(await paidInvoices(store, customerId)).toEqual([499, 4_500])
  })

  it.for([
    ['is declined', 'pm_card_chargeCustomerFail', 'Your card was declined.'],
    [
      'requires authentication',
      'pm_card_authenticationRequired',
      'Your bank needs you to confirm this payment.',
    ],
  ] as const)(
    'changes nothing when the card %s, and succeeds with another card',
    async ([_what, card, sentence], { store }) => {
      const { gateway, yearly, monthly } = store
      const { customerId, subscription } = await subscribed(store)
      await useCard(store, subscription, card)
      const { periodStartsAt: proratedAt } = subscription
      const failure = gateway.changeNow(subscription, yearly.id, proratedAt)
      await expect(failure).rejects.toThrow(CardDeclinedError)
      await expect(failure).rejects.toThrow(sentence)
      expect(await newest(gateway, customerId)).toMatchObject({ status: 'active', priceId: monthly.id })
      expect(await paidInvoices(store, customerId)).toEqual([499])
      await useCard(store, subscription, 'pm_card_visa')
      await gateway.changeNow(subscription, yearly.id, proratedAt)
      expect((await newest(gateway, customerId)).priceId).toBe(yearly.id)
    },
  )

  it('reports a missing card', async ({ store }) => {
    const { gateway, stripe, monthly, yearly } = store
    const customerId = await store.join()
    await stripe.subscriptions.create({
      customer: customerId,
      items: [{ price: monthly.id }],
      trial_period_days: 7,
    })
    const subscription = await newest(gateway, customerId)
    await stripe.subscriptions.update(subscription.id, { trial_end: 'now' })
    const failure = gateway.changeNow(subscription, yearly.id, subscription.periodStartsAt)
    await expect(failure).rejects.toThrow('You have no card on file.')
  })

  it.for([
    ['at the period’s end', { cancel_at_period_end: true }],
    ['at a given time', { cancel_at: 'min_period_end' as const }],
  ] as const)('changes nothing once the subscription is canceled %s', async ([_what, end], { store }) => {
    const { gateway, stripe, monthly, yearly } = store
    const { customerId, subscription } = await subscribed(store)
    await stripe.subscriptions.update(subscription.id, end)
    const { periodStartsAt: proratedAt, periodEndsAt: endsAt } = subscription
    for (const change of [
      () => gateway.changeNow(subscription, yearly.id, proratedAt),
      () => gateway.changeAtPeriodEnd(subscription, yearly.id),
    ])
      await expect(change()).rejects.toThrow(SubscriptionChangedError)
    const unchanged = { priceId: monthly.id, endsAt, schedule: null }
    expect(await newest(gateway, customerId)).toMatchObject(unchanged)
    expect(await paidInvoices(store, customerId)).toEqual([499])
  })

  it('cancels a scheduled change', async ({ store }) => {
    const { gateway, monthly, yearly } = store
    const { customerId, subscription } = await subscribed(store, yearly)
    await gateway.changeAtPeriodEnd(subscription, monthly.id)
    const scheduled = await newest(gateway, customerId)
    await gateway.changeNow(scheduled, monthly.id, scheduled.periodStartsAt)
    expect(await newest(gateway, customerId)).toMatchObject({ priceId: monthly.id, schedule: null })
  })

  it('is rejected after another change was charged', async ({ store }) => {
    const { gateway, monthly, yearly } = store
    const { customerId, subscription } = await subscribed(store)
    const expensive = await store.reprice(yearly, 20_000)
    const { periodStartsAt: proratedAt } = subscription
    await gateway.changeNow(subscription, expensive.id, proratedAt)
    await expect(gateway.changeNow(subscription, yearly.id, proratedAt)).rejects.toThrow(
      SubscriptionChangedError,
    )
    await expect(gateway.changeAtPeriodEnd(subscription, monthly.id)).rejects.toThrow(
      SubscriptionChangedError,
    )
    expect(await newest(gateway, customerId)).toMatchObject({ priceId: expensive.id, schedule: null })
    expect(await paidInvoices(store, customerId)).toEqual([499, 19_501])
  })

  it.for([
    ['another upgrade', 200_00],
    ['a downgrade', 1_00],
  ] as const)(
    'is refused by Stripe when %s happens between its read and its charge',
    async ([_what, amount], { store }) => {
      const { gateway, yearly, monthly } = store
      const { customerId, subscription } = await subscribed(store)
      const { id, periodStartsAt: proratedAt } = subscription
      const other = await store.reprice(monthly, amount)
      const fault = { match: `POST /v1/subscriptions/${id}`, about: yearly.id }
      const late = await store.startLate(fault, () => gateway.changeNow(subscription, yearly.id, proratedAt))
      if (amount > 499) await gateway.changeNow(subscription, other.id, proratedAt)
      else await gateway.changeAtPeriodEnd(subscription, other.id)
      expect(await late.failure).toBeInstanceOf(SubscriptionChangedError)
      const isUpgraded = amount > 499
      expect(await newest(gateway, customerId)).toMatchObject({
        priceId: isUpgraded ? other.id : monthly.id,
        schedule: isUpgraded ? null : { nextPriceId: other.id },
      })
      expect(await paidInvoices(store, customerId)).toEqual(isUpgraded ? [499, 200_00 - 499] : [499])
    },
  )
})

describe('the charge of a change and its renewals', () => {
  const forever = { percent_off: 50, duration: 'forever' } as const
  const months = { percent_off: 50, duration: 'repeating', duration_in_months: 3 } as const
  const manyMonths = {
    amount_off: 1_00,
    currency: 'usd',
    duration: 'repeating',
    duration_in_months: 14,
  } as const
  const once = { amount_off: 2_00, currency: 'usd', duration: 'once' } as const
  const ofMonthly = { amount: 499, regularAmount: 499, currency: 'usd' }
  const ofYearly = { amount: 4_999, regularAmount: 4_999, currency: 'usd' }

  it.for([
    ['forever', forever, 2_250, { amount: 2_499, regularAmount: 2_499 }],
    ['for three months', months, 2_250, ofYearly],
    ['for fourteen months', manyMonths, 4_500, { amount: 4_899, regularAmount: 4_999 }],
    ['once, already used', once, 4_700, ofYearly],
  ] as const)('applies a coupon to an upgrade: %s', async ([_what, coupon, due, renewal], { store }) => {
    const { gateway, yearly } = store
    const { customerId, subscription } = await subscribedWith(store, coupon)
    const { periodStartsAt: proratedAt } = subscription
    const preview = await gateway.previewChange(subscription, yearly.id, proratedAt)
    expect(preview).toMatchObject({
      due: { amount: due, currency: 'usd' },
      renewal: { currency: 'usd', ...renewal },
    })
    await gateway.changeNow(subscription, yearly.id, proratedAt)
    expect((await paidInvoices(store, customerId)).at(-1)).toBe(due)
    expect(await gateway.previewRenewal(await newest(gateway, customerId), yearly.id)).toEqual(
      preview.renewal,
    )
  })

  it.for([
    ['forever', forever, { amount: 249, regularAmount: 249, currency: 'usd' }],
    ['for fourteen months', manyMonths, { amount: 399, regularAmount: 499, currency: 'usd' }],
    ['for three months', months, ofMonthly],
  ] as const)(
    'applies a coupon to a downgrade at period end: %s',
    async ([_what, coupon, renewal], { store }) => {
      const { gateway, monthly, yearly } = store
      const { subscription } = await subscribedWith(store, coupon, yearly)
      expect(await gateway.previewRenewal(subscription, monthly.id)).toMatchObject(renewal)
    },
  )

  it("applies the customer's balance once, and ignores a scheduled change", async ({ store }) => {
    const { gateway, stripe, monthly, yearly } = store
    const { customerId, subscription } = await subscribed(store)
    await stripe.customers.update(customerId, { balance: -1_000 })
    expect(await gateway.previewChange(subscription, yearly.id, subscription.periodStartsAt)).toMatchObject({
      due: { amount: 3_500, currency: 'usd' },
      renewal: ofYearly,
    })
    const { subscription: other } = await subscribed(store, yearly)
    await gateway.changeAtPeriodEnd(other, monthly.id)
    expect(await gateway.previewRenewal(await newest(gateway, other.customerId), yearly.id)).toMatchObject(
      ofYearly,
    )
  })
})
