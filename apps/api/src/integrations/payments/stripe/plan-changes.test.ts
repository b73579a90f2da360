import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { newest, orderOf, type StripeStore, startStripeStore } from '#test/stripe-store.ts'
import { waitOptions } from '#test/wait-options.ts'
import {
  CardDeclinedError,
  PaymentsUnavailableError,
  type Subscription,
  SubscriptionChangedError,
} from '../payment-gateway.ts'

let store: StripeStore
beforeAll(async () => {
  store = await startStripeStore()
})
afterAll(() => store.stop())

async function subscribed(price = store.monthly) {
  const customerId = await store.join()
  return { customerId, subscription: await store.subscribe(customerId, price) }
}

async function subscribedWith(coupon: Stripe.CouponCreateParams, price = store.monthly) {
  const customerId = await store.join()
  const { id } = await store.stripe.coupons.create({ ...coupon, metadata: { public: 'true' } })
  const { url } = await store.gateway.startCheckout({ ...orderOf(customerId, price), coupon: id })
  await store.controls.completeCheckout(url)
  return { customerId, subscription: await newest(store.gateway, customerId) }
}

/** Sets the subscription's card to one that is declined or requires authentication. */
async function useCard({ id, customerId }: Subscription, card: string) {
  const method = await store.stripe.paymentMethods.attach(card, { customer: customerId })
  await store.stripe.subscriptions.update(id, { default_payment_method: method.id })
}

async function paidInvoices(customerId: string) {
  const { data } = await store.stripe.invoices.list({ customer: customerId, status: 'paid' })
  return data.map(({ amount_paid: amount }) => amount).reverse()
}

describe('changeNow', () => {
  it('charges the previewed amount', async () => {
    const { gateway, yearly } = store
    const { customerId, subscription } = await subscribed()
    const { periodStartsAt: proratedAt } = subscription
    expect(await gateway.previewChange(subscription, yearly.id, proratedAt)).toEqual({
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
    expect(await paidInvoices(customerId)).toEqual([499, 4_500])
  })

  it('charges once when it is repeated', async () => {
    const { gateway, controls, yearly } = store
    const { customerId, subscription } = await subscribed()
    const { periodStartsAt: proratedAt } = subscription
    await Promise.all([1, 2].map(() => gateway.changeNow(subscription, yearly.id, proratedAt)))
    // The repeated change makes no call to Stripe.
    await controls.addFault({ kind: 'rate-limit', match: 'POST /v1/subscriptions' })
    await gateway.changeNow(subscription, yearly.id, new Date(proratedAt.getTime() + 1_000))
    await controls.clearFaults()
    expect(await paidInvoices(customerId)).toEqual([499, 4_500])
  })

  it.each([
    ['is declined', 'pm_card_chargeCustomerFail', 'Your card was declined.'],
    [
      'requires authentication',
      'pm_card_authenticationRequired',
      'Your bank needs you to confirm this payment.',
    ],
  ])('changes nothing when the card %s, and succeeds with another card', async (_what, card, sentence) => {
    const { gateway, yearly, monthly } = store
    const { customerId, subscription } = await subscribed()
    await useCard(subscription, card)
    const { periodStartsAt: proratedAt } = subscription
    const failure = gateway.changeNow(subscription, yearly.id, proratedAt)
    await expect(failure).rejects.toThrow(CardDeclinedError)
    await expect(failure).rejects.toThrow(sentence)
    expect(await newest(gateway, customerId)).toMatchObject({ status: 'active', priceId: monthly.id })
    expect(await paidInvoices(customerId)).toEqual([499])
    await useCard(subscription, 'pm_card_visa')
    await gateway.changeNow(subscription, yearly.id, proratedAt)
    expect((await newest(gateway, customerId)).priceId).toBe(yearly.id)
  })

  it('reports a missing card', async () => {
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

  it.each([
    ['at the period’s end', { cancel_at_period_end: true }],
    ['at a given time', { cancel_at: 'min_period_end' as const }],
  ])('resumes a subscription that is canceled %s', async (_what, end) => {
    const { gateway, stripe, yearly } = store
    const { customerId, subscription } = await subscribed()
    await stripe.subscriptions.update(subscription.id, end)
    const canceled = await newest(gateway, customerId)
    const { periodStartsAt: proratedAt } = canceled
    await gateway.changeNow(canceled, yearly.id, proratedAt)
    expect(await newest(gateway, customerId)).toMatchObject({ priceId: yearly.id, endsAt: null })
  })

  it('cancels a scheduled change', async () => {
    const { gateway, monthly, yearly } = store
    const { customerId, subscription } = await subscribed(yearly)
    await gateway.changeAtPeriodEnd(subscription, monthly.id)
    const scheduled = await newest(gateway, customerId)
    await gateway.changeNow(scheduled, monthly.id, scheduled.periodStartsAt)
    expect(await newest(gateway, customerId)).toMatchObject({ priceId: monthly.id, schedule: null })
  })

  it('is rejected after another change was charged', async () => {
    const { gateway, stripe, monthly, yearly } = store
    const { customerId, subscription } = await subscribed()
    const expensive = await stripe.prices.create({
      product: yearly.productId,
      currency: 'usd',
      unit_amount: 20_000,
      recurring: { interval: 'year' },
    })
    const { periodStartsAt: proratedAt } = subscription
    await gateway.changeNow(subscription, expensive.id, proratedAt)
    await expect(gateway.changeNow(subscription, yearly.id, proratedAt)).rejects.toThrow(
      SubscriptionChangedError,
    )
    await expect(gateway.changeAtPeriodEnd(subscription, monthly.id)).rejects.toThrow(
      SubscriptionChangedError,
    )
    expect(await newest(gateway, customerId)).toMatchObject({ priceId: expensive.id, schedule: null })
    expect(await paidInvoices(customerId)).toEqual([499, 19_501])
  })

  it('keeps a scheduled change when Stripe does not respond', async () => {
    const { gateway, controls, monthly, yearly, stripe } = store
    const { customerId, subscription } = await subscribed(yearly)
    await gateway.changeAtPeriodEnd(subscription, monthly.id)
    const expensive = await stripe.prices.create({
      product: yearly.productId,
      currency: 'usd',
      unit_amount: 20_000,
      recurring: { interval: 'year' },
    })
    const match = `POST /v1/subscriptions/${subscription.id}`
    await controls.addFault({ kind: 'server-error', match, times: 3 })
    const failure = gateway.changeNow(subscription, expensive.id, subscription.periodStartsAt)
    await expect(failure).rejects.toThrow(PaymentsUnavailableError)
    expect(await newest(gateway, customerId)).toMatchObject({
      priceId: yearly.id,
      schedule: { nextPriceId: monthly.id },
    })
  })

  it('keeps a scheduled change when the card is declined', async () => {
    const { gateway, stripe, monthly, yearly } = store
    const { customerId, subscription } = await subscribed(yearly)
    await gateway.changeAtPeriodEnd(subscription, monthly.id)
    const expensive = await stripe.prices.create({
      product: yearly.productId,
      currency: 'usd',
      unit_amount: 20_000,
      recurring: { interval: 'year' },
    })
    await useCard(subscription, 'pm_card_chargeCustomerFail')
    const failure = gateway.changeNow(subscription, expensive.id, subscription.periodStartsAt)
    await expect(failure).rejects.toThrow(CardDeclinedError)
    expect(await newest(gateway, customerId)).toMatchObject({
      priceId: yearly.id,
      schedule: { nextPriceId: monthly.id },
    })
  })

  it.each([
    ['another upgrade', 200_00],
    ['a downgrade', 1_00],
  ])('is refused by Stripe when %s happens between its read and its charge', async (_what, amount) => {
    const { gateway, stripe, controls, yearly, monthly } = store
    const { customerId, subscription } = await subscribed()
    const { id, periodStartsAt: proratedAt } = subscription
    const other = await stripe.prices.create({
      product: monthly.productId,
      currency: 'usd',
      unit_amount: amount,
      recurring: { interval: 'month' },
    })
    await controls.addFault({
      kind: 'slow',
      match: `POST /v1/subscriptions/${id}`,
      about: yearly.id,
      delayMs: 1_500,
    })
    const late = gateway.changeNow(subscription, yearly.id, proratedAt).catch((error: unknown) => error)
    await vi.waitFor(async () => {
      if ((await (await fetch(`${store.url}/stripe/faults`)).text()).includes(id))
        throw new Error('Still to come.')
    }, waitOptions)
    if (amount > 499) await gateway.changeNow(subscription, other.id, proratedAt)
    else await gateway.changeAtPeriodEnd(subscription, other.id)
    expect(await late).toBeInstanceOf(SubscriptionChangedError)
    const isUpgraded = amount > 499
    expect(await newest(gateway, customerId)).toMatchObject({
      priceId: isUpgraded ? other.id : monthly.id,
      schedule: isUpgraded ? null : { nextPriceId: other.id },
    })
    expect(await paidInvoices(customerId)).toEqual(isUpgraded ? [499, 200_00 - 499] : [499])
  })
})

describe('changeAtPeriodEnd during an upgrade', () => {
  it.each([
    ['the schedule is created', 'POST /v1/subscription_schedules'],
    ['the schedule is updated', 'POST /v1/subscription_schedules/'],
  ])('is rejected before %s, and keeps the upgrade', async (_what, match) => {
    const { gateway, stripe, controls, yearly, monthly } = store
    const { customerId, subscription } = await subscribed()
    const cheaper = await stripe.prices.create({
      product: monthly.productId,
      currency: 'usd',
      unit_amount: 1_00,
      recurring: { interval: 'month' },
    })
    const about = match.endsWith('/') ? cheaper.id : subscription.id
    await controls.addFault({ kind: 'slow', match, about, delayMs: 1_500 })
    const late = gateway.changeAtPeriodEnd(subscription, cheaper.id).catch((error: unknown) => error)
    await vi.waitFor(async () => {
      if ((await (await fetch(`${store.url}/stripe/faults`)).text()).includes(about))
        throw new Error('Still to come.')
    }, waitOptions)
    await gateway.changeNow(subscription, yearly.id, subscription.periodStartsAt)
    expect(await late).toBeInstanceOf(SubscriptionChangedError)
    expect(await newest(gateway, customerId)).toMatchObject({ priceId: yearly.id, schedule: null })
    expect(await paidInvoices(customerId)).toEqual([499, 4_500])
  })
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

  it.each([
    ['forever', forever, 2_250, { amount: 2_499, regularAmount: 2_499 }],
    ['for three months', months, 2_250, ofYearly],
    ['for fourteen months', manyMonths, 4_500, { amount: 4_899, regularAmount: 4_999 }],
    ['once, already used', once, 4_700, ofYearly],
  ])('applies a coupon to an upgrade: %s', async (_what, coupon, due, renewal) => {
    const { gateway, yearly } = store
    const { customerId, subscription } = await subscribedWith(coupon)
    const { periodStartsAt: proratedAt } = subscription
    const preview = await gateway.previewChange(subscription, yearly.id, proratedAt)
    expect(preview).toEqual({
      due: { amount: due, currency: 'usd' },
      renewal: { currency: 'usd', ...renewal },
    })
    await gateway.changeNow(subscription, yearly.id, proratedAt)
    expect((await paidInvoices(customerId)).at(-1)).toBe(due)
    expect(await gateway.previewRenewal(await newest(gateway, customerId), yearly.id)).toEqual(
      preview.renewal,
    )
  })

  it.each([
    ['forever', forever, { amount: 249, regularAmount: 249, currency: 'usd' }],
    ['for fourteen months', manyMonths, { amount: 399, regularAmount: 499, currency: 'usd' }],
    ['for three months', months, ofMonthly],
  ])('applies a coupon to a downgrade at period end: %s', async (_what, coupon, renewal) => {
    const { gateway, monthly, yearly } = store
    const { subscription } = await subscribedWith(coupon, yearly)
    expect(await gateway.previewRenewal(subscription, monthly.id)).toEqual(renewal)
  })

  it("applies the customer's balance once, and ignores a scheduled change", async () => {
    const { gateway, stripe, monthly, yearly } = store
    const { customerId, subscription } = await subscribed()
    await stripe.customers.update(customerId, { balance: -1_000 })
    expect(await gateway.previewChange(subscription, yearly.id, subscription.periodStartsAt)).toEqual({
      due: { amount: 3_500, currency: 'usd' },
      renewal: ofYearly,
    })
    const { subscription: other } = await subscribed(yearly)
    await gateway.changeAtPeriodEnd(other, monthly.id)
    expect(await gateway.previewRenewal(await newest(gateway, other.customerId), yearly.id)).toEqual(ofYearly)
  })
})

describe('changeAtPeriodEnd', () => {
  it('charges nothing until it applies', async () => {
    const other = await startStripeStore()
    try {
      const { gateway, stripe, monthly, yearly } = other
      const customerId = await other.join()
      const subscription = await other.subscribe(customerId, yearly)
      await gateway.changeAtPeriodEnd(subscription, monthly.id)
      expect(await newest(gateway, customerId)).toMatchObject({
        priceId: yearly.id,
        schedule: { nextPriceId: monthly.id },
        endsAt: null,
        latestInvoice: { id: subscription.latestInvoice?.id },
      })
      await other.pass(366)
      const after = await newest(gateway, customerId)
      expect(after).toMatchObject({
        id: subscription.id,
        status: 'active',
        priceId: monthly.id,
        latestInvoice: { amount: 499, isPaid: true },
      })
      await other.pass(62)
      const later = await newest(gateway, customerId)
      expect(later).toMatchObject({ status: 'active', priceId: monthly.id, schedule: null })
      const { data: invoices } = await stripe.invoices.list({ customer: customerId })
      expect(invoices.map(({ amount_paid: amount }) => amount)).toEqual([499, 499, 499, 4_999])
    } finally {
      await other.stop()
    }
  })

  it('replaces an earlier scheduled change', async () => {
    const { gateway, stripe, monthly, yearly } = store
    const { customerId, subscription } = await subscribed(yearly)
    await Promise.all([1, 2].map(() => gateway.changeAtPeriodEnd(subscription, monthly.id)))
    await gateway.changeAtPeriodEnd(subscription, monthly.id)
    const first = (await newest(gateway, customerId)).schedule
    expect(first?.nextPriceId).toBe(monthly.id)
    const cheaper = await stripe.prices.create({
      product: monthly.productId,
      currency: 'usd',
      unit_amount: 100,
      recurring: { interval: 'month' },
    })
    await gateway.changeAtPeriodEnd(await newest(gateway, customerId), cheaper.id)
    expect((await newest(gateway, customerId)).schedule).toEqual({ id: first?.id, nextPriceId: cheaper.id })
  })

  it('schedules a new change after the previous one applied', async () => {
    const other = await startStripeStore()
    try {
      const { gateway, stripe, yearly } = other
      const cheaper = await stripe.prices.create({
        product: yearly.productId,
        currency: 'usd',
        unit_amount: 3_000,
        recurring: { interval: 'year' },
      })
      const customerId = await other.join()
      const subscription = await other.subscribe(customerId, yearly)
      await gateway.changeAtPeriodEnd(subscription, cheaper.id)
      await other.pass(366)
      await gateway.changeAtPeriodEnd(await newest(gateway, customerId), yearly.id)
      await other.pass(200)
      expect(await newest(gateway, customerId)).toMatchObject({
        priceId: cheaper.id,
        schedule: { nextPriceId: yearly.id },
      })
      await other.pass(165)
      expect(await newest(gateway, customerId)).toMatchObject({ status: 'active', priceId: yearly.id })
    } finally {
      await other.stop()
    }
  })

  it('is canceled by the current price, idempotently', async () => {
    const { gateway, monthly, yearly } = store
    const { customerId, subscription } = await subscribed(yearly)
    await gateway.changeAtPeriodEnd(subscription, monthly.id)
    const scheduled = await newest(gateway, customerId)
    await Promise.all([1, 2].map(() => gateway.changeAtPeriodEnd(scheduled, yearly.id)))
    await gateway.changeAtPeriodEnd(scheduled, yearly.id)
    expect(await newest(gateway, customerId)).toMatchObject({ priceId: yearly.id, schedule: null })
  })

  it('resumes a canceled subscription', async () => {
    const { gateway, stripe, monthly, yearly } = store
    const { customerId, subscription } = await subscribed(yearly)
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
    await gateway.changeAtPeriodEnd(await newest(gateway, customerId), monthly.id)
    expect(await newest(gateway, customerId)).toMatchObject({
      endsAt: null,
      schedule: { nextPriceId: monthly.id },
    })
  })

  it.each([
    ['the schedule is created', 'POST /v1/subscription_schedules', { cancel_at_period_end: true }],
    ['the schedule is updated', 'POST /v1/subscription_schedules/', { cancel_at_period_end: true }],
    ['the schedule is created', 'POST /v1/subscription_schedules', { cancel_at: 'min_period_end' as const }],
  ])('keeps the cancellation when it is interrupted as %s: %s', async (_what, match, end) => {
    const { gateway, stripe, controls, monthly, yearly } = store
    const { customerId, subscription } = await subscribed(yearly)
    await stripe.subscriptions.update(subscription.id, end)
    const canceled = await newest(gateway, customerId)
    await controls.addFault({ kind: 'server-error', match, times: 3 })
    await expect(gateway.changeAtPeriodEnd(canceled, monthly.id)).rejects.toThrow(PaymentsUnavailableError)
    expect(canceled.endsAt).not.toBeNull()
    expect(await newest(gateway, customerId)).toMatchObject({ endsAt: canceled.endsAt, schedule: null })
    await gateway.changeAtPeriodEnd(canceled, monthly.id)
    expect(await newest(gateway, customerId)).toMatchObject({
      endsAt: null,
      schedule: { nextPriceId: monthly.id },
    })
  })

  it('keeps a permanent discount, redeemed once', async () => {
    const other = await startStripeStore()
    try {
      const { gateway, stripe, controls, monthly, yearly } = other
      const customerId = await other.join()
      const coupon = await stripe.coupons.create({ amount_off: 100, currency: 'usd', duration: 'forever' })
      await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id }, code: 'FRIEND' })
      const { url } = await gateway.startCheckout({ ...orderOf(customerId, yearly), coupon: 'FRIEND' })
      await controls.completeCheckout(url)
      await gateway.changeAtPeriodEnd(await newest(gateway, customerId), monthly.id)
      await other.pass(366)
      expect(await newest(gateway, customerId)).toMatchObject({
        priceId: monthly.id,
        latestInvoice: { amount: 399, isPaid: true },
      })
      expect((await stripe.coupons.retrieve(coupon.id)).times_redeemed).toBe(1)
    } finally {
      await other.stop()
    }
  })

  it('is completed by a second call when it was interrupted after creating the schedule', async () => {
    const { gateway, controls, monthly, yearly } = store
    const { customerId, subscription } = await subscribed(yearly)
    await controls.addFault({ kind: 'server-error', match: 'POST /v1/subscription_schedules/', times: 3 })
    await expect(gateway.changeAtPeriodEnd(subscription, monthly.id)).rejects.toThrow('StripeAPIError')
    const cut = await newest(gateway, customerId)
    expect(cut.schedule).toMatchObject({ nextPriceId: null })
    await gateway.changeAtPeriodEnd(cut, monthly.id)
    expect((await newest(gateway, customerId)).schedule).toEqual({
      id: cut.schedule?.id,
      nextPriceId: monthly.id,
    })
  })
})
