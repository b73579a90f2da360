import type Stripe from 'stripe'
import { sha256 } from '#platform/ids.ts'
import type { CataloguePrice, OnProgress, PaymentGateway, SoldPrice } from '../payment-gateway.ts'
import { idOf, mostListed, pageSize, type Tax } from './client.ts'
import { isMissing, isRefusal } from './errors.ts'
import { callOnce } from './idempotency.ts'
import { intervalOf } from './subscription-mapper.ts'

const stripeIntervals = { monthly: 'month', yearly: 'year' } as const

/** The configured plans and prices as Stripe's products and prices. Ours are known by their metadata. */
export function stripeCatalogue(
  stripe: Stripe,
  tax: Tax,
): Pick<PaymentGateway, 'hasPrice' | 'syncCatalogue'> {
  async function listProducts(appId: string): Promise<Stripe.Product[]> {
    const all = await stripe.products.list({ limit: pageSize }).autoPagingToArray({ limit: mostListed })
    return all.filter(({ metadata }) => metadata.app === appId)
  }

  async function listPrices(products: Stripe.Product[]): Promise<Stripe.Price[]> {
    const lists = []
    for (const { id } of products) {
      const list = stripe.prices.list({ product: id, limit: pageSize })
      lists.push(await list.autoPagingToArray({ limit: mostListed }))
    }
    return lists.flat().filter(({ metadata }) => metadata.price !== undefined)
  }

  async function findProduct(id: string): Promise<Stripe.Product | null> {
    try {
      return await stripe.products.retrieve(id)
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }

  /** The product of a plan, under an id that follows from the plan's: made twice it is the same. */
  async function bringProduct(
    appId: string,
    plan: CataloguePrice,
    onProgress: OnProgress,
  ): Promise<Stripe.Product> {
    const { planId, planName, planDescription } = plan
    const wanted = { name: planName, metadata: { app: appId, plan: planId } }
    const id = `${planId}-${appId}`
    const found = await findProduct(id)
    if (!found) {
      onProgress(`plan ${planName}: new`)
      const description = planDescription ? { description: planDescription } : {}
      try {
        return await stripe.products.create({ id, ...wanted, ...description })
      } catch (error) {
        if (!isRefusal(error, 'resource_already_exists')) throw error
        return await stripe.products.retrieve(id)
      }
    }
    const isAsIs =
      found.active &&
      found.name === planName &&
      (found.description ?? '') === (planDescription ?? '') &&
      found.metadata.app === appId &&
      found.metadata.plan === planId
    if (isAsIs) return found
    onProgress(`plan ${planName}: brought up to date`)
    return await stripe.products.update(id, { ...wanted, description: planDescription ?? '', active: true })
  }

  /** The price of now: one that is or was sold for the same amount, or a new one, which takes over the lookup key. */
  async function bringPrice(
    appId: string,
    wanted: CataloguePrice,
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
      onProgress(`price ${priceId}: sold again as ${found.id}`)
      return await stripe.prices.update(found.id, { ...takesKey, active: true })
    }
    const params = {
      ...takesKey,
      product: productId,
      unit_amount: amount,
      currency,
      ...(interval === null ? {} : { recurring: { interval: stripeIntervals[interval] } }),
    }
    const seen = former.filter((price) => price.metadata.price === priceId).map(({ id }) => id)
    const key = `price-${sha256(JSON.stringify([params, seen]))}`
    const price = await callOnce(key, (options) => stripe.prices.create(params, options))
    onProgress(`price ${priceId}: new as ${price.id}`)
    return price
  }

  return {
    async hasPrice(id) {
      try {
        await stripe.prices.retrieve(id)
        return true
      } catch (error) {
        if (isMissing(error)) return false
        throw error
      }
    },
    async syncCatalogue(app, prices, onProgress) {
      const products = new Map((await listProducts(app.id)).map((product) => [product.id, product]))
      const productIds = new Map<string, string>()
      for (const price of prices) {
        if (productIds.has(price.planId)) continue
        const product = await bringProduct(app.id, price, onProgress)
        products.set(product.id, product)
        productIds.set(price.planId, product.id)
      }
      const former = await listPrices([...products.values()])
      const current = new Map<string, Stripe.Price>()
      for (const price of prices) {
        const productId = productIds.get(price.planId) ?? ''
        const sold = await bringPrice(app.id, price, { productId, former }, onProgress)
        current.set(sold.id, sold)
      }
      for (const { id, active, metadata } of former) {
        if (!active || current.has(id)) continue
        await stripe.prices.update(id, { active: false })
        onProgress(`price ${metadata.price}: ${id} is no longer sold`)
      }
      for (const { id, name, active } of products.values()) {
        if (!active || [...productIds.values()].includes(id)) continue
        await stripe.products.update(id, { active: false })
        onProgress(`plan ${name}: no longer sold`)
      }
      const retired = former.filter(({ id }) => !current.has(id))
      return [
        ...[...current.values()].map((price) => ({ ...toSold(price, products), isCurrent: true })),
        ...retired.map((price) => ({ ...toSold(price, products), isCurrent: false })),
      ]
    },
  }
}

function isSameOffer(price: Stripe.Price, wanted: CataloguePrice, productId: string): boolean {
  return (
    price.metadata.price === wanted.priceId &&
    idOf(price.product) === productId &&
    price.unit_amount === wanted.amount &&
    price.currency === wanted.currency &&
    (price.recurring === null ? null : (intervalOf(price) ?? 'another')) === wanted.interval
  )
}

/** Stripe lets `tax_behavior` be set once: a price that has the other one cannot be sold again. */
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
