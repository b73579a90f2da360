import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newest, type StripeShop, startStripeShop } from '../../../../test/stripe-shop.ts'

let shop: StripeShop
beforeEach(async () => {
  shop = await startStripeShop()
})
afterEach(() => shop.stop())

describe('a refund', () => {
  it('gives back what the latest invoice was paid with, once', async () => {
    const { gateway, stripe, monthly } = shop
    const customerId = await shop.join()
    const subscription = await shop.subscribe(customerId, monthly)
    expect(await gateway.refundLatestInvoice(subscription)).toBe(true)
    expect(await gateway.refundLatestInvoice(subscription)).toBe(true)
    const { data: charges } = await stripe.charges.list({ customer: customerId })
    expect(charges.map(({ amount_refunded: refunded }) => refunded)).toEqual([499])
  })

  it('of what somebody at the desk gave back already is done', async () => {
    const { gateway, stripe, monthly } = shop
    const customerId = await shop.join()
    const subscription = await shop.subscribe(customerId, monthly)
    const { data: charges } = await stripe.charges.list({ customer: customerId })
    await stripe.refunds.create({ charge: charges[0]?.id ?? '' })
    expect(await gateway.refundLatestInvoice(subscription)).toBe(true)
  })

  it('gives nothing back where nothing was paid', async () => {
    const { gateway, stripe, monthly } = shop
    const customerId = await shop.join()
    const trial = await stripe.subscriptions.create({
      customer: customerId,
      items: [{ price: monthly.id }],
      trial_period_days: 7,
    })
    expect(await gateway.refundLatestInvoice(await newest(gateway, customerId))).toBe(false)
    const { data: refunds } = await stripe.refunds.list()
    expect(refunds.filter(({ metadata }) => metadata?.subscription === trial.id)).toEqual([])
    expect((await stripe.charges.list({ customer: customerId })).data).toEqual([])
  })
})
