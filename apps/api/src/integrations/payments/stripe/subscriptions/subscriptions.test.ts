import { describe, expect } from 'vitest'
import { PaymentsRefusedError } from '#integrations/payments/gateway-errors.ts'
import { newest, pagesOf, storeSales, storeTest, subscribed, useCard } from '#test/payments/stripe-store.ts'
import { secondsOf } from '../client/client.ts'
import { isOwn, toSubscription } from './subscription-mapper.ts'

const it = storeTest()

describe('listSubscriptions and listAllSubscriptions', () => {
  it('return the price, the period and the invoice', async ({ store }) => {
    const { gateway, monthly } = store
    const { customerId } = await subscribed(store)
    const [subscription] = await gateway.listSubscriptions(customerId, storeSales)
    expect(subscription).toMatchObject({
      customerId,
      status: 'active',
      createdAt: new Date('2026-11-20T18:00:00Z'),
      priceId: monthly.id,
      price: { amount: 499, currency: 'usd', interval: 'monthly' },
      periodStartsAt: new Date('2026-11-20T18:00:00Z'),
      periodEndsAt: new Date('2026-12-20T18:00:00Z'),
      endsAt: null,
      endedAt: null,
      schedule: null,
      unpaidSince: null,
      latestInvoice: {
        isPaid: true,
        amount: 499,
        currency: 'usd',
        paidAt: new Date('2026-11-20T18:00:00Z'),
        url: expect.stringMatching(/^https?:/),
      },
    })
  })

  it('return the oldest first, including ended ones', async ({ store }) => {
    const { gateway, yearly } = store
    const { customerId, subscription: first } = await subscribed(store)
    await gateway.cancelSubscription(first.id)
    const second = await store.subscribe(customerId, yearly)
    const found = await gateway.listSubscriptions(customerId, storeSales)
    expect(found.map(({ id, status }) => [id, status])).toEqual([
      [first.id, 'canceled'],
      [second.id, 'active'],
    ])
    expect(found[0]?.endedAt).toBeInstanceOf(Date)
    expect(found[1]?.price.interval).toBe('yearly')
  })

  it('return the one item that is ours', async ({ store }) => {
    const { gateway, stripe, monthly } = store
    const { customerId, subscription } = await subscribed(store)
    const { id } = subscription
    const { id: product } = await stripe.products.create({ name: 'Printed almanac' })
    const terms = { product, currency: 'usd', unit_amount: 3_900, recurring: { interval: 'year' as const } }
    const { id: price } = await stripe.prices.create(terms)
    const almanac = await stripe.subscriptions.create({
      customer: customerId,
      items: [{ price }],
      trial_period_days: 7,
    })
    expect((await gateway.listSubscriptions(customerId, storeSales)).map((one) => one.id)).toEqual([id])
    expect(isOwn(almanac, storeSales)).toBe(false)

    const digest = await stripe.subscriptions.retrieve(id)
    const data = [...almanac.items.data, ...digest.items.data]
    const both = { ...digest, metadata: {}, items: { ...digest.items, data } }
    expect(isOwn(both, storeSales)).toBe(true)
    expect(toSubscription(both, storeSales)).toMatchObject({
      itemId: digest.items.data[0]?.id,
      productId: monthly.productId,
      isShared: true,
      price: { amount: 499 },
    })
  })

  it('return an unpaid invoice and its payment page', async ({ ownStore: other }) => {
    const { customerId, subscription } = await subscribed(other)
    await useCard(other, subscription, 'pm_card_chargeCustomerFail')
    await other.pass(31)
    expect(await newest(other.gateway, customerId)).toMatchObject({
      status: 'past_due',
      unpaidSince: new Date('2026-12-20T18:00:00Z'),
      latestInvoice: { isPaid: false, amount: 499, paidAt: null, url: expect.stringMatching(/^https?:/) },
    })
  })

  it('return none for a deleted customer and reject an unknown one', async ({ store }) => {
    const { gateway } = store
    const customerId = await store.join()
    await store.stripe.customers.del(customerId)
    expect(await gateway.listSubscriptions(customerId, storeSales)).toEqual([])
    await expect(gateway.listSubscriptions('cus_neverwas', storeSales)).rejects.toThrow(PaymentsRefusedError)
  })

  it('return all subscriptions in pages, each once', async ({ ownStore: other }) => {
    const { stripe, gateway, monthly } = other
    for (let count = 0; count < 103; count += 1) {
      const customer = await stripe.customers.create({ payment_method: 'pm_card_visa' })
      await stripe.subscriptions.create({
        customer: customer.id,
        items: [{ price: monthly.id }],
        trial_period_days: 7,
      })
    }
    const pages = await pagesOf(gateway.listAllSubscriptions(storeSales))
    expect(pages.map(({ length }) => length)).toEqual([100, 3])
    expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(103)
    expect(pages[0]?.[0]?.status).toBe('trialing')
  })

  it('include subscriptions on test clocks', async ({ ownStore: other }) => {
    const { stripe, gateway } = other
    const customerIds: string[] = []
    for (const _ of [1, 2, 3]) customerIds.push((await subscribed(other)).customerId)
    for (const customer of customerIds.slice(1)) {
      await stripe.testHelpers.testClocks.create({ frozen_time: secondsOf(other.clock.now()), customer })
    }
    const pages = await pagesOf(gateway.listAllSubscriptions(storeSales))
    expect(pages.flat().map(({ customerId }) => customerId)).toEqual([
      customerIds[0],
      ...customerIds.slice(1).reverse(),
    ])
    await other.controls.addFault({ kind: 'forbidden', match: 'GET /v1/test_helpers/test_clocks' })
    const withoutClocks = await pagesOf(gateway.listAllSubscriptions(storeSales))
    expect(withoutClocks.flat().map(({ customerId }) => customerId)).toEqual([customerIds[0]])
  })
})
