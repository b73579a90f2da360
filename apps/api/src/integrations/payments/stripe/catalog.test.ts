import { describe, expect } from 'vitest'
import { monthlyPrice, newest, storeApp, storeTest, yearlyPrice } from '#test/payments/stripe-store.ts'
import type { CatalogPrice } from '../payment-gateway.ts'

const it = storeTest().extend(
  'sync',
  ({ ownStore }) =>
    async (prices: CatalogPrice[] = [monthlyPrice, yearlyPrice], app = storeApp) => {
      const lines: string[] = []
      const sold = await ownStore.gateway.syncCatalog(app, prices, (line) => lines.push(line))
      return { lines, sold, current: sold.filter(({ isCurrent }) => isCurrent) }
    },
)

describe('syncCatalog', () => {
  it('creates a product for each plan and a price for each price, with metadata', async ({
    ownStore: store,
  }) => {
    const { stripe, monthly } = store
    const price = await stripe.prices.retrieve(monthly.id, { expand: ['product'] })
    expect(price).toMatchObject({
      active: true,
      unit_amount: 499,
      currency: 'usd',
      recurring: { interval: 'month', interval_count: 1 },
      lookup_key: 'app_store.prc_monthly',
      metadata: { app: 'app_store', plan: 'pln_monthly', price: 'prc_monthly' },
      product: {
        name: 'Monthly',
        description: 'Every edition, month by month',
        metadata: { app: 'app_store', plan: 'pln_monthly' },
      },
    })
    expect(monthly).toEqual({ ...monthlyPrice, id: price.id, productId: expect.any(String), isCurrent: true })
  })

  it('changes nothing the second time', async ({ ownStore: store, sync }) => {
    const { stripe } = store
    const before = await stripe.events.list({ limit: 100 })
    const { lines, sold } = await sync()
    expect(lines).toEqual([])
    expect(sold.map(({ id, isCurrent }) => [id, isCurrent])).toEqual([
      [store.monthly.id, true],
      [store.yearly.id, true],
    ])
    expect((await stripe.events.list({ limit: 100 })).data.length).toBe(before.data.length)
  })

  it('leaves a product of the merchant with copied metadata alone', async ({ ownStore: store, sync }) => {
    const { stripe } = store
    const metadata = { app: storeApp.id, plan: 'pln_monthly' }
    const product = await stripe.products.create({ name: 'Printed almanac', metadata })
    const price = await stripe.prices.create({
      product: product.id,
      currency: 'usd',
      unit_amount: 3_900,
      metadata: { ...metadata, price: 'prc_monthly' },
    })
    const { lines, sold } = await sync()
    expect(lines).toEqual([])
    expect(sold.map(({ productId }) => productId)).not.toContain(product.id)
    expect((await stripe.products.retrieve(product.id)).active).toBe(true)
    expect((await stripe.prices.retrieve(price.id)).active).toBe(true)
  })

  it('creates everything once when two commands run concurrently', async ({ ownStore: store, sync }) => {
    const app = { id: 'app_new', name: 'New', siteUrl: 'https://new.example' }
    const runs = await Promise.all([sync(undefined, app), sync(undefined, app)])
    const ids = runs.map(({ current }) => current.map(({ id }) => id))
    expect(ids[0]).toEqual(ids[1])
    const { data: products } = await store.stripe.products.list({ limit: 100 })
    expect(products.filter(({ metadata }) => metadata.app === 'app_new')).toHaveLength(2)
  })

  it('creates a new price for a changed amount, and keeps subscriptions on the old one', async ({
    ownStore: store,
    sync,
  }) => {
    const { gateway, stripe, monthly } = store
    const customerId = await store.join()
    await store.subscribe(customerId, monthly)
    const { sold, current } = await sync([{ ...monthlyPrice, amount: 599 }, yearlyPrice])
    const next = current.find(({ priceId }) => priceId === 'prc_monthly')
    expect(next).toMatchObject({ amount: 599, productId: monthly.productId })
    expect(next?.id).not.toBe(monthly.id)
    expect(sold.find(({ id }) => id === monthly.id)).toMatchObject({ amount: 499, isCurrent: false })
    expect(await stripe.prices.retrieve(monthly.id)).toMatchObject({ active: false, lookup_key: null })
    expect(await stripe.prices.retrieve(next?.id ?? '')).toMatchObject({
      lookup_key: 'app_store.prc_monthly',
    })
    await store.pass(31)
    expect(await newest(gateway, customerId)).toMatchObject({
      status: 'active',
      priceId: monthly.id,
      latestInvoice: { amount: 499, isPaid: true },
    })
  })

  it('reactivates the previous price when the amount is restored', async ({ ownStore: store, sync }) => {
    const { stripe, monthly } = store
    await sync([{ ...monthlyPrice, amount: 599 }, yearlyPrice])
    const { current, sold } = await sync()
    expect(current.find(({ priceId }) => priceId === 'prc_monthly')?.id).toBe(monthly.id)
    expect(await stripe.prices.retrieve(monthly.id)).toMatchObject({
      active: true,
      lookup_key: 'app_store.prc_monthly',
    })
    expect(sold.filter(({ isCurrent }) => !isCurrent).map(({ amount }) => amount)).toEqual([599])
    await sync([{ ...monthlyPrice, amount: 599 }, yearlyPrice])
    expect((await sync([{ ...monthlyPrice, amount: 599 }, yearlyPrice])).sold).toHaveLength(3)
  })

  it.for([
    ['currency', { currency: 'eur' }],
    ['interval', { interval: 'yearly' }],
  ] as const)('creates a new price for another %s', async ([_what, change], { ownStore: store, sync }) => {
    const { current } = await sync([{ ...monthlyPrice, ...change }, yearlyPrice])
    const next = current.find(({ priceId }) => priceId === 'prc_monthly')
    expect(next).toMatchObject(change)
    expect(next?.id).not.toBe(store.monthly.id)
  })

  it("updates a plan's name and description", async ({ ownStore: store, sync }) => {
    const { stripe, monthly } = store
    const { lines } = await sync([
      { ...monthlyPrice, planName: 'Each month', planDescription: null },
      yearlyPrice,
    ])
    expect(lines).toEqual(['plan Each month: updated'])
    expect(await stripe.products.retrieve(monthly.productId)).toMatchObject({
      name: 'Each month',
      description: null,
    })
    expect(
      (await sync([{ ...monthlyPrice, planName: 'Each month', planDescription: null }, yearlyPrice])).lines,
    ).toEqual([])
  })

  it('deactivates a removed price, and reactivates it when it returns', async ({ ownStore: store, sync }) => {
    const { stripe, yearly } = store
    const { sold } = await sync([monthlyPrice])
    expect(sold.find(({ id }) => id === yearly.id)).toMatchObject({ isCurrent: false, planId: 'pln_yearly' })
    expect(await stripe.prices.retrieve(yearly.id)).toMatchObject({ active: false })
    expect(await stripe.products.retrieve(yearly.productId)).toMatchObject({ active: false })
    const { current } = await sync()
    expect(current.map(({ id }) => id)).toContain(yearly.id)
    expect(await stripe.products.retrieve(yearly.productId)).toMatchObject({ active: true })
  })

  it('moves a price to another plan', async ({ ownStore: store, sync }) => {
    const { stripe, monthly, yearly } = store
    const { current } = await sync(
      [{ ...monthlyPrice, planId: 'pln_yearly', planName: 'Yearly' }, yearlyPrice].map((price) => ({
        ...price,
        planDescription: null,
      })),
    )
    const moved = current.find(({ priceId }) => priceId === 'prc_monthly')
    expect(moved).toMatchObject({ planId: 'pln_yearly', productId: yearly.productId })
    expect(await stripe.prices.retrieve(monthly.id)).toMatchObject({ active: false, lookup_key: null })
  })

  it('does not change prices of another app or of the merchant', async ({ ownStore: store, sync }) => {
    const { stripe, monthly } = store
    const other = { id: 'app_other', name: 'Other', siteUrl: 'https://other.example' }
    const { current: others } = await sync([{ ...monthlyPrice, planName: 'Other' }], other)
    const made = await stripe.products.create({ name: 'By hand' })
    const byHand = await stripe.prices.create({ product: monthly.productId, currency: 'usd', unit_amount: 7 })
    await sync()
    expect(await stripe.prices.retrieve(others[0]?.id ?? '')).toMatchObject({ active: true })
    expect(await stripe.products.retrieve(made.id)).toMatchObject({ active: true })
    expect(await stripe.prices.retrieve(byHand.id)).toMatchObject({ active: true })
    expect((await sync()).sold.map(({ id }) => id)).not.toContain(byHand.id)
  })

  it('completes an interrupted sync in the next run', async ({ ownStore: store, sync }) => {
    const { controls, stripe } = store
    const changed = [{ ...monthlyPrice, amount: 599 }, yearlyPrice]
    // The new price is created, but its response is lost and the old one stays active.
    await controls.addFault({ kind: 'reset-after', match: 'POST /v1/prices', times: 3 })
    await expect(sync(changed)).rejects.toThrow('StripeConnectionError')
    const { current } = await sync(changed)
    const { data: active } = await stripe.prices.list({ active: true, limit: 100 })
    expect(active.map(({ id }) => id).sort()).toEqual(current.map(({ id }) => id).sort())
    expect((await stripe.prices.list({ limit: 100 })).data).toHaveLength(3)
  })
})

describe('syncPortal', () => {
  it('offers cancellation at period end, card changes and invoices, and no plan changes', async ({
    ownStore: store,
  }) => {
    const { stripe, portalId } = store
    expect(await stripe.billingPortal.configurations.retrieve(portalId)).toMatchObject({
      active: true,
      name: 'Tidings',
      default_return_url: 'https://tidings.example',
      metadata: { app: 'app_store' },
      features: {
        customer_update: { enabled: false },
        invoice_history: { enabled: true },
        payment_method_update: { enabled: true },
        subscription_cancel: { enabled: true, mode: 'at_period_end', proration_behavior: 'none' },
        subscription_update: { enabled: false },
      },
    })
  })

  it('updates the existing configuration', async ({ ownStore: store }) => {
    const { gateway, stripe, portalId } = store
    await stripe.billingPortal.configurations.update(portalId, { active: false })
    expect(await gateway.syncPortal({ ...storeApp, name: 'News' }, portalId)).toBe(portalId)
    const { active, name } = await stripe.billingPortal.configurations.retrieve(portalId)
    expect([active, name]).toEqual([true, 'News'])
  })

  it('creates a new configuration when the previous one is missing', async ({ ownStore: store }) => {
    const { gateway, stripe } = store
    const id = await gateway.syncPortal(storeApp, 'bpc_neverwas')
    expect((await stripe.billingPortal.configurations.retrieve(id)).active).toBe(true)
  })
})

describe('tax behavior', () => {
  it('is set on active prices, and replaces a price with another one', async ({ ownStore: store }) => {
    const ids: string[] = []
    for (const tax of ['exclusive', 'exclusive', 'inclusive', 'exclusive', null] as const) {
      const taxed = store.gatewayWith({ tax })
      const sold = await taxed.syncCatalog(storeApp, [monthlyPrice], () => {})
      const current = sold.find(({ isCurrent }) => isCurrent)
      const { tax_behavior: behavior, active } = await store.stripe.prices.retrieve(current?.id ?? '')
      expect([behavior, active]).toEqual([tax ?? 'exclusive', true])
      ids.push(current?.id ?? '')
    }
    const { id } = store.monthly
    expect(ids.map((one) => one === id)).toEqual([true, true, false, true, true])
  })
})
