import type Stripe from 'stripe'
import { testCards } from './payment-actions.ts'

/** Creates a yearly price of the merchant for another product. */
export async function createAlmanac(stripe: Stripe): Promise<Stripe.Price> {
  const { id: product } = await stripe.products.create({ name: 'Printed almanac' })
  const offer = { product, currency: 'usd', unit_amount: 3_900 }
  return await stripe.prices.create({ ...offer, recurring: { interval: 'year' } })
}

/** Creates a paid subscription as the merchant does in the dashboard. */
export async function sellInDashboard(
  stripe: Stripe,
  customer: string,
  price: string,
): Promise<Stripe.Subscription> {
  const { id } = await stripe.paymentMethods.attach(testCards.good, { customer })
  return await stripe.subscriptions.create({ customer, items: [{ price }], default_payment_method: id })
}
