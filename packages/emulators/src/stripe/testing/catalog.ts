import type Stripe from 'stripe'
import { createPrice } from './members.ts'

export type Catalog = {
  product: Stripe.Product
  monthly: Stripe.Price
  yearly: Stripe.Price
  customer: Stripe.Customer
}

/** One product at $9.00 a month or $90.00 a year, and somebody who might buy it. */
export async function createCatalog(stripe: Stripe): Promise<Catalog> {
  const product = await stripe.products.create({ name: 'Tidings' })
  const [monthly, yearly] = await Promise.all([
    createPrice(stripe, product.id, { cents: 900, interval: 'month' }),
    createPrice(stripe, product.id, { cents: 9_000, interval: 'year' }),
  ])
  const customer = await stripe.customers.create({ email: 'ada@example.com' })
  return { product, monthly, yearly, customer }
}
