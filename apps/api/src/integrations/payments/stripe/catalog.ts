import type Stripe from 'stripe'
import { sha256 } from '#platform/ids.ts'
import type { CatalogPrice, OnProgress, PaymentGateway, SoldPrice } from '../payment-gateway.ts'
import { callOnce, idOf, listAll, pageSize, type Tax } from './client/client.ts'
import { isRefusal, orMissing } from './client/errors.ts'
import { intervalOf } from './subscriptions/subscription-mapper.ts'

const stripeIntervals = { monthly: 'month', yearly: 'year' } as const

/** Keeps Stripe's products and prices equal to the configured plans. The id of a product says whether it is ours. */
export function stripeCatalog(
  stripe: Stripe,
  tax: Tax,
): Pick<PaymentGateway, 'hasPrice' | 'prepareCatalog' | 'syncCatalog'> {
  /** Returns the price to sell: a former one of the same amount, or a new one. It takes over the lookup key. */
  async function syncPrice(
    appId: string,
    wanted: CatalogPrice,
    { productId, former }: { productId: string; former: Stripe.Price[] },
    onProgress: OnProgress,
  ): Promise<Stripe.Price> {
    const { planId, priceId, amount, currency, interval } = wanted
    const lookupKey = `${appId}.${priceId}`
    const metadata = { app: appId, plan: planId, price: priceId }
    const alike = former.filter((price) => isSameOffer(price, wanted, productId) && isTaxedAs(price, tax))
    const found = alike.find(({ lookup_key: key }) => key === lookupKey) ?? alike[0]
    const isTaxSet = tax === null || found?.tax_behavior === tax
    if (found?.active && found.lookup_key === lookupKey && isTaxSet) return found
    const behavior = tax === null ? {} : { tax_behavior: tax }
    const takesKey = { lookup_key: lookupKey, transfer_lookup_key: true, metadata, ...behavior }
    if (found) {
      onProgress(`price ${priceId}: restored as ${found.id}`)
      return await stripe.prices.update(found.id, { ...takesKey, active: true })
    }
    const params = {
      ...takesKey,
      product: productId,
      unit_amount: amount,
      currency,
      recurring: { interval: stripeIntervals[interval] },
    }
    const seen = former.filter((price) => price.metadata.price === priceId).map(({ id }) => id)
    const key = `price-${sha256(JSON.stringify([params, seen]))}`
    const price = await callOnce(key, (options) => stripe.prices.create(params, options))
    onProgress(`price ${priceId}: created as ${price.id}`)
    return price
  }

  async function prepare(
    appId: string,
    prices: readonly CatalogPrice[],
    onProgress: OnProgress,
  ): Promise<Catalog> {
    const products = new Map((await listProducts(stripe, appId)).map((product) => [product.id, product]))
    const soldProducts = new Map<string, string>()
    for (const price of prices) {
      if (soldProducts.has(price.planId)) continue
      const product = await syncProduct(stripe, appId, price, onProgress)
      products.set(product.id, product)
      soldProducts.set(price.planId, product.id)
    }
    const known = await listPrices(stripe, [...products.values()])
    const current = new Map<string, Stripe.Price>()
    for (const price of prices) {
      const productId = soldProducts.get(price.planId) ?? ''
      const sold = await syncPrice(appId, price, { productId, former: known }, onProgress)
      current.set(sold.id, sold)
    }
    const former = known.filter(({ id }) => !current.has(id))
    return { products, soldProductIds: new Set(soldProducts.values()), current, former }
  }

  return {
    hasPrice: async (id) => (await orMissing(stripe.prices.retrieve(id))) !== null,
    async prepareCatalog(app, prices, onProgress) {
      return soldOf(await prepare(app.id, prices, onProgress))
    },
    async syncCatalog(app, prices, onProgress, kept = new Set()) {
      const catalog = await prepare(app.id, prices, onProgress)
      for (const { id, active, metadata } of catalog.former) {
        if (!active) continue
        if (kept.has(id)) {
          onProgress(`price ${metadata.price}: ${id} stays payable for a day, in checkouts that are open`)
          continue
        }
        await stripe.prices.update(id, { active: false })
        onProgress(`price ${metadata.price}: ${id} archived`)
      }
      for (const { id, name, active } of catalog.products.values()) {
        if (!active || catalog.soldProductIds.has(id)) continue
        await stripe.products.update(id, { active: false })
        onProgress(`plan ${name}: archived`)
      }
      return soldOf(catalog)
    },
  }
}

type Catalog = {
  products: ReadonlyMap<string, Stripe.Product>
  /** Of the configured plans. */
  soldProductIds: ReadonlySet<string>
  current: ReadonlyMap<string, Stripe.Price>
  former: readonly Stripe.Price[]
}

async function listProducts(stripe: Stripe, appId: string): Promise<Stripe.Product[]> {
  const all = await listAll(stripe.products.list({ limit: pageSize }))
  return all.filter(({ id }) => id.endsWith(`-${appId}`))
}

async function listPrices(stripe: Stripe, products: Stripe.Product[]): Promise<Stripe.Price[]> {
  const prices: Stripe.Price[] = []
  for (const { id } of products)
    prices.push(...(await listAll(stripe.prices.list({ product: id, limit: pageSize }))))
  return prices.filter(({ metadata }) => metadata.price !== undefined)
}

/** Creates or updates a plan's product. Its id is derived from the plan's, so creating it is idempotent. */
async function syncProduct(
  stripe: Stripe,
  appId: string,
  plan: CatalogPrice,
  onProgress: OnProgress,
): Promise<Stripe.Product> {
  const { planId, planName, planDescription } = plan
  const wanted = { name: planName, metadata: { app: appId, plan: planId } }
  const id = `${planId}-${appId}`
  const found = await orMissing(stripe.products.retrieve(id))
  if (!found) {
    onProgress(`plan ${planName}: created`)
    const description = planDescription ? { description: planDescription } : {}
    try {
      return await stripe.products.create({ id, ...wanted, ...description })
    } catch (error) {
      if (!isRefusal(error, 'resource_already_exists')) throw error
      return await stripe.products.retrieve(id)
    }
  }
  const isCurrent =
    found.active &&
    found.name === planName &&
    (found.description ?? '') === (planDescription ?? '') &&
    found.metadata.app === appId &&
    found.metadata.plan === planId
  if (isCurrent) return found
  onProgress(`plan ${planName}: updated`)
  return await stripe.products.update(id, { ...wanted, description: planDescription ?? '', active: true })
}

function soldOf({ current, former, products }: Catalog) {
  return [
    ...[...current.values()].map((price) => ({ ...toSold(price, products), isCurrent: true })),
    ...former.map((price) => ({ ...toSold(price, products), isCurrent: false })),
  ]
}

function isSameOffer(price: Stripe.Price, wanted: CatalogPrice, productId: string): boolean {
  return (
    price.metadata.price === wanted.priceId &&
    idOf(price.product) === productId &&
    price.unit_amount === wanted.amount &&
    price.currency === wanted.currency &&
    intervalOf(price) === wanted.interval
  )
}

/** Stripe sets `tax_behavior` only once, so a price with the other one can't be restored. */
function isTaxedAs({ tax_behavior: behavior }: Stripe.Price, tax: Tax): boolean {
  return tax === null || behavior === tax || (behavior ?? 'unspecified') === 'unspecified'
}

function toSold(price: Stripe.Price, products: ReadonlyMap<string, Stripe.Product>): SoldPrice {
  const productId = idOf(price.product)
  const product = products.get(productId)
  return {
    id: price.id,
    productId,
    planId: price.metadata.plan ?? '',
    priceId: price.metadata.price ?? '',
    planName: product?.name ?? '',
    planDescription: product?.description ?? null,
    amount: price.unit_amount ?? 0,
    currency: price.currency,
    interval: intervalOf(price),
  }
}
