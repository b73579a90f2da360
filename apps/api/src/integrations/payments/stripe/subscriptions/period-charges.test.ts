import { describe, expect } from 'vitest'
import { newest, storeTest, subscribed, subscribedWith } from '#test/payments/stripe-store.ts'

const it = storeTest()

describe('findPeriodCharge', () => {
  it('returns what the current period cost, with its discount', async ({ store }) => {
    const { gateway } = store
    const { subscription } = await subscribedWith(store, { percent_off: 50, duration: 'once' })
    expect(await gateway.findPeriodCharge(subscription)).toEqual({ amount: 249, currency: 'usd' })
  })

  it('returns the whole price, although credit lowered the invoice', async ({ store }) => {
    const { gateway, yearly } = store
    const { customerId, subscription } = await subscribed(store)
    await gateway.changeNow(subscription, yearly.id, subscription.periodStartsAt)
    const upgraded = await newest(gateway, customerId)
    expect(upgraded.latestInvoice?.amount).toBe(4_500)
    expect(await gateway.findPeriodCharge(upgraded)).toEqual({ amount: 4_999, currency: 'usd' })
  })

  it('returns null for a price that was never charged for a whole period', async ({ store }) => {
    const { gateway, yearly } = store
    const { subscription } = await subscribed(store)
    expect(await gateway.findPeriodCharge({ ...subscription, priceId: yearly.id })).toBeNull()
  })
})
