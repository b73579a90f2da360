import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  newest,
  type StripeStore,
  startStripeStore,
  subscribed,
  subscribedWith,
} from '#test/payments/stripe-store.ts'

let store: StripeStore
beforeAll(async () => {
  store = await startStripeStore()
})
afterAll(() => store.stop())

describe('findPeriodCharge', () => {
  it('returns what the current period cost, with its discount', async () => {
    const { gateway } = store
    const { subscription } = await subscribedWith(store, { percent_off: 50, duration: 'once' })
    expect(await gateway.findPeriodCharge(subscription)).toEqual({ amount: 249, currency: 'usd' })
  })

  it('returns the whole price, although credit lowered the invoice', async () => {
    const { gateway, yearly } = store
    const { customerId, subscription } = await subscribed(store)
    await gateway.changeNow(subscription, yearly.id, subscription.periodStartsAt)
    const upgraded = await newest(gateway, customerId)
    expect(upgraded.latestInvoice?.amount).toBe(4_500)
    expect(await gateway.findPeriodCharge(upgraded)).toEqual({ amount: 4_999, currency: 'usd' })
  })

  it('returns null for a price that was never charged for a whole period', async () => {
    const { gateway, yearly } = store
    const { subscription } = await subscribed(store)
    expect(await gateway.findPeriodCharge({ ...subscription, priceId: yearly.id })).toBeNull()
  })
})
