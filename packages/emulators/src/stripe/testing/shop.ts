import type Stripe from 'stripe'

export type Shop = {
  product: Stripe.Product
  monthly: Stripe.Price
  yearly: Stripe.Price
  customer: Stripe.Customer
}

/** One product at $9.00 a month or $90.00 a year, and somebody who might buy it. */
export async function openShop(stripe: Stripe): Promise<Shop> {
  const product = await stripe.products.create({ name: 'Tidings' })
  const price = (amount: number, interval: 'month' | 'year') =>
    stripe.prices.create({
      product: product.id,
      currency: 'usd',
      unit_amount: amount,
      recurring: { interval },
    })
  const [monthly, yearly] = await Promise.all([price(900, 'month'), price(9_000, 'year')])
  const customer = await stripe.customers.create({ email: 'ada@example.com' })
  return { product, monthly, yearly, customer }
}
