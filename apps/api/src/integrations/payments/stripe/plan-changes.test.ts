import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newest, orderOf, type StripeShop, startStripeShop } from '../../../../test/stripe-shop.ts'
import {
  CardDeclinedError,
  PaymentsUnavailableError,
  type Subscription,
  SubscriptionMovedError,
} from '../payment-gateway.ts'

let shop: StripeShop
beforeAll(async () => {
  shop = await startStripeShop()
})
afterAll(() => shop.stop())

async function subscribed(price = shop.monthly) {
  const customerId = await shop.join()
  return { customerId, subscription: await shop.subscribe(customerId, price) }
}

/** The card by which the subscription is paid says no from now on, or wants its bank to be asked. */
async function useCard({ id, customerId }: Subscription, card: string) {
  const method = await shop.stripe.paymentMethods.attach(card, { customer: customerId })
  await shop.stripe.subscriptions.update(id, { default_payment_method: method.id })
}

async function paidInvoices(customerId: string) {
  const { data } = await shop.stripe.invoices.list({ customer: customerId, status: 'paid' })
  return data.map(({ amount_paid: amount }) => amount).reverse()
}

describe('a change at once', () => {
  it('costs what the preview said', async () => {
    const { gateway, yearly } = shop
    const { customerId, subscription } = await subscribed()
    const { due, proratedAt } = await gateway.previewChange(subscription, yearly.id)
    expect(due).toEqual({ amount: 4_999 - 499, currency: 'usd' })
    expect(proratedAt).toEqual(new Date('2026-11-20T18:00:00Z'))
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

  it('made twice is made and charged once', async () => {
    const { gateway, controls, yearly } = shop
    const { customerId, subscription } = await subscribed()
    const { proratedAt } = await gateway.previewChange(subscription, yearly.id)
    await Promise.all([1, 2].map(() => gateway.changeNow(subscription, yearly.id, proratedAt)))
    // Nothing is left to ask Stripe for.
    await controls.addFault({ kind: 'rate-limit', match: 'POST /v1/subscriptions' })
    await gateway.changeNow(subscription, yearly.id, new Date(proratedAt.getTime() + 1_000))
    await controls.clearFaults()
    expect(await paidInvoices(customerId)).toEqual([499, 4_500])
  })

  it.each([
    ['says no', 'pm_card_chargeCustomerFail', 'Your card was declined.'],
    [
      'wants to ask its bank',
      'pm_card_authenticationRequired',
      'Your bank wants you to confirm this payment.',
    ],
  ])(
    'changes nothing when the card %s, and can be made when another one pays',
    async (_what, card, sentence) => {
      const { gateway, yearly, monthly } = shop
      const { customerId, subscription } = await subscribed()
      await useCard(subscription, card)
      const { proratedAt } = await gateway.previewChange(subscription, yearly.id)
      const failure = gateway.changeNow(subscription, yearly.id, proratedAt)
      await expect(failure).rejects.toThrow(CardDeclinedError)
      await expect(failure).rejects.toThrow(sentence)
      expect(await newest(gateway, customerId)).toMatchObject({ status: 'active', priceId: monthly.id })
      expect(await paidInvoices(customerId)).toEqual([499])
      await useCard(subscription, 'pm_card_visa')
      await gateway.changeNow(subscription, yearly.id, proratedAt)
      expect((await newest(gateway, customerId)).priceId).toBe(yearly.id)
    },
  )

  it('says that there is no card', async () => {
    const { gateway, stripe, monthly, yearly } = shop
    const customerId = await shop.join()
    await stripe.subscriptions.create({
      customer: customerId,
      items: [{ price: monthly.id }],
      trial_period_days: 7,
    })
    const subscription = await newest(gateway, customerId)
    await stripe.subscriptions.update(subscription.id, { trial_end: 'now' })
    const failure = gateway.changeNow(subscription, yearly.id, subscription.periodStartsAt)
    await expect(failure).rejects.toThrow('There is no card to charge.')
  })

  it.each([
    ['at the period’s end', { cancel_at_period_end: true }],
    ['at a moment', { cancel_at: 'min_period_end' as const }],
  ])('takes back that the subscription ends %s', async (_what, end) => {
    const { gateway, stripe, yearly } = shop
    const { customerId, subscription } = await subscribed()
    await stripe.subscriptions.update(subscription.id, end)
    const ending = await newest(gateway, customerId)
    const { proratedAt } = await gateway.previewChange(ending, yearly.id)
    await gateway.changeNow(ending, yearly.id, proratedAt)
    expect(await newest(gateway, customerId)).toMatchObject({ priceId: yearly.id, endsAt: null })
  })

  it('gives up a change that waits', async () => {
    const { gateway, monthly, yearly } = shop
    const { customerId, subscription } = await subscribed(yearly)
    await gateway.changeAtPeriodEnd(subscription, monthly.id)
    const waiting = await newest(gateway, customerId)
    await gateway.changeNow(waiting, monthly.id, waiting.periodStartsAt)
    expect(await newest(gateway, customerId)).toMatchObject({ priceId: monthly.id, schedule: null })
  })

  it('is not made on top of another one that was charged since it was looked at', async () => {
    const { gateway, stripe, monthly, yearly } = shop
    const { customerId, subscription } = await subscribed()
    const dearer = await stripe.prices.create({
      product: yearly.productId,
      currency: 'usd',
      unit_amount: 20_000,
      recurring: { interval: 'year' },
    })
    const { proratedAt } = await gateway.previewChange(subscription, yearly.id)
    await gateway.changeNow(subscription, dearer.id, proratedAt)
    await expect(gateway.changeNow(subscription, yearly.id, proratedAt)).rejects.toThrow(
      SubscriptionMovedError,
    )
    await expect(gateway.changeAtPeriodEnd(subscription, monthly.id)).rejects.toThrow(SubscriptionMovedError)
    expect(await newest(gateway, customerId)).toMatchObject({ priceId: dearer.id, schedule: null })
    expect(await paidInvoices(customerId)).toEqual([499, 19_501])
  })

  it('lets a change wait on when Stripe does not answer', async () => {
    const { gateway, controls, monthly, yearly, stripe } = shop
    const { customerId, subscription } = await subscribed(yearly)
    await gateway.changeAtPeriodEnd(subscription, monthly.id)
    const dearer = await stripe.prices.create({
      product: yearly.productId,
      currency: 'usd',
      unit_amount: 20_000,
      recurring: { interval: 'year' },
    })
    const match = `POST /v1/subscriptions/${subscription.id}`
    await controls.addFault({ kind: 'server-error', match, times: 3 })
    const failure = gateway.changeNow(subscription, dearer.id, subscription.periodStartsAt)
    await expect(failure).rejects.toThrow(PaymentsUnavailableError)
    expect(await newest(gateway, customerId)).toMatchObject({
      priceId: yearly.id,
      schedule: { nextPriceId: monthly.id },
    })
  })

  it('lets a change wait on when the card says no', async () => {
    const { gateway, stripe, monthly, yearly } = shop
    const { customerId, subscription } = await subscribed(yearly)
    await gateway.changeAtPeriodEnd(subscription, monthly.id)
    const dearer = await stripe.prices.create({
      product: yearly.productId,
      currency: 'usd',
      unit_amount: 20_000,
      recurring: { interval: 'year' },
    })
    await useCard(subscription, 'pm_card_chargeCustomerFail')
    const failure = gateway.changeNow(subscription, dearer.id, subscription.periodStartsAt)
    await expect(failure).rejects.toThrow(CardDeclinedError)
    expect(await newest(gateway, customerId)).toMatchObject({
      priceId: yearly.id,
      schedule: { nextPriceId: monthly.id },
    })
  })

  it('is prorated within the period although our clock is ahead of it or behind', async () => {
    const { gateway, yearly, clock } = shop
    const { subscription } = await subscribed()
    const now = clock.now()
    try {
      clock.moveTo(new Date('2026-11-19T00:00:00Z'))
      expect((await gateway.previewChange(subscription, yearly.id)).proratedAt).toEqual(
        subscription.periodStartsAt,
      )
      clock.moveTo(new Date('2027-01-01T00:00:00Z'))
      const late = await gateway.previewChange(subscription, yearly.id)
      expect(late.proratedAt).toEqual(new Date('2026-12-20T17:59:59Z'))
    } finally {
      clock.moveTo(now)
    }
  })
})

describe('a change at the period’s end', () => {
  it('waits, charges nothing, and comes', async () => {
    const other = await startStripeShop()
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

  it('asked for twice, and then for another price, is the last one', async () => {
    const { gateway, stripe, monthly, yearly } = shop
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

  it('asked for after the last one came waits for the period’s end again', async () => {
    const other = await startStripeShop()
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

  it('is taken back by the price of now, twice too', async () => {
    const { gateway, monthly, yearly } = shop
    const { customerId, subscription } = await subscribed(yearly)
    await gateway.changeAtPeriodEnd(subscription, monthly.id)
    const waiting = await newest(gateway, customerId)
    await Promise.all([1, 2].map(() => gateway.changeAtPeriodEnd(waiting, yearly.id)))
    await gateway.changeAtPeriodEnd(waiting, yearly.id)
    expect(await newest(gateway, customerId)).toMatchObject({ priceId: yearly.id, schedule: null })
  })

  it('takes back that the subscription ends', async () => {
    const { gateway, stripe, monthly, yearly } = shop
    const { customerId, subscription } = await subscribed(yearly)
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
    await gateway.changeAtPeriodEnd(await newest(gateway, customerId), monthly.id)
    expect(await newest(gateway, customerId)).toMatchObject({
      endsAt: null,
      schedule: { nextPriceId: monthly.id },
    })
  })

  it.each([
    ['the schedule is made', 'POST /v1/subscription_schedules', { cancel_at_period_end: true }],
    ['the schedule is set', 'POST /v1/subscription_schedules/', { cancel_at_period_end: true }],
    ['the schedule is made', 'POST /v1/subscription_schedules', { cancel_at: 'min_period_end' as const }],
  ])('leaves a subscription ending when it is cut short as %s: %s', async (_what, match, end) => {
    const { gateway, stripe, controls, monthly, yearly } = shop
    const { customerId, subscription } = await subscribed(yearly)
    await stripe.subscriptions.update(subscription.id, end)
    const ending = await newest(gateway, customerId)
    await controls.addFault({ kind: 'server-error', match, times: 3 })
    await expect(gateway.changeAtPeriodEnd(ending, monthly.id)).rejects.toThrow(PaymentsUnavailableError)
    expect(ending.endsAt).not.toBeNull()
    expect(await newest(gateway, customerId)).toMatchObject({ endsAt: ending.endsAt, schedule: null })
    await gateway.changeAtPeriodEnd(ending, monthly.id)
    expect(await newest(gateway, customerId)).toMatchObject({
      endsAt: null,
      schedule: { nextPriceId: monthly.id },
    })
  })

  it('keeps a discount that holds for ever, redeemed once', async () => {
    const other = await startStripeShop()
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

  it('is finished by another call when the first was cut short after the schedule was made', async () => {
    const { gateway, controls, monthly, yearly } = shop
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
