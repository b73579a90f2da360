import { describe, expect } from 'vitest'
import { SubscriptionChangedError } from '#integrations/payments/gateway-errors.ts'
import { newest, orderOf, paidInvoices, storeTest, subscribed } from '#test/payments/stripe-store.ts'

const it = storeTest()

describe('changeAtPeriodEnd', () => {
  it('charges nothing until it applies', async ({ ownStore: other }) => {
    const { gateway, stripe, monthly, yearly } = other
    const { customerId, subscription } = await subscribed(other, yearly)
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
  })

  it('replaces an earlier scheduled change', async ({ store }) => {
    const { gateway, monthly, yearly } = store
    const { customerId, subscription } = await subscribed(store, yearly)
    await Promise.all([1, 2].map(() => gateway.changeAtPeriodEnd(subscription, monthly.id)))
    await gateway.changeAtPeriodEnd(subscription, monthly.id)
    const first = (await newest(gateway, customerId)).schedule
    expect(first?.nextPriceId).toBe(monthly.id)
    const cheaper = await store.reprice(monthly, 100)
    await gateway.changeAtPeriodEnd(await newest(gateway, customerId), cheaper.id)
    expect((await newest(gateway, customerId)).schedule).toEqual({ id: first?.id, nextPriceId: cheaper.id })
  })

  it('schedules a new change after the previous one applied', async ({ ownStore: other }) => {
    const { gateway, yearly } = other
    const cheaper = await other.reprice(yearly, 3_000)
    const { customerId, subscription } = await subscribed(other, yearly)
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
  })

  it('is canceled by the current price, idempotently', async ({ store }) => {
    const { gateway, monthly, yearly } = store
    const { customerId, subscription } = await subscribed(store, yearly)
    await gateway.changeAtPeriodEnd(subscription, monthly.id)
    const scheduled = await newest(gateway, customerId)
    await Promise.all([1, 2].map(() => gateway.changeAtPeriodEnd(scheduled, yearly.id)))
    await gateway.changeAtPeriodEnd(scheduled, yearly.id)
    expect(await newest(gateway, customerId)).toMatchObject({ priceId: yearly.id, schedule: null })
  })

  it('keeps a permanent discount, redeemed once', async ({ ownStore: other }) => {
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
  })

  it('is completed by a second call when it was interrupted after creating the schedule', async ({
    store,
  }) => {
    const { gateway, controls, monthly, yearly } = store
    const { customerId, subscription } = await subscribed(store, yearly)
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

describe('changeAtPeriodEnd during an upgrade', () => {
  it.for([
    ['the schedule is created', 'POST /v1/subscription_schedules'],
    ['the schedule is updated', 'POST /v1/subscription_schedules/'],
  ] as const)('is rejected before %s, and keeps the upgrade', async ([_what, match], { store }) => {
    const { gateway, yearly, monthly } = store
    const { customerId, subscription } = await subscribed(store)
    const cheaper = await store.reprice(monthly, 100)
    const about = match.endsWith('/') ? cheaper.id : subscription.id
    const late = await store.startLate({ match, about }, () =>
      gateway.changeAtPeriodEnd(subscription, cheaper.id),
    )
    await gateway.changeNow(subscription, yearly.id, subscription.periodStartsAt)
    expect(await late.failure).toBeInstanceOf(SubscriptionChangedError)
    expect(await newest(gateway, customerId)).toMatchObject({ priceId: yearly.id, schedule: null })
    expect(await paidInvoices(store, customerId)).toEqual([499, 4_500])
  })
})
