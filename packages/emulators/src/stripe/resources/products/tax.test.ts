import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBilling } from '../../testing/billing.ts'

type Billing = Awaited<ReturnType<typeof openBilling>>

let billing: Billing

beforeAll(async () => {
  billing = await openBilling()
  await billing.admin.setTax(20)
})
afterAll(() => billing.stop())

/** Pays a checkout with automatic tax and returns the session and its invoice. */
async function buy(behavior: 'exclusive' | 'inclusive', isTaxed = true) {
  const { stripe, admin } = billing
  const { id: customer } = await stripe.customers.create({ email: 'ada@example.com' })
  const product = await stripe.products.create({ name: 'Tidings' })
  const { id: price } = await stripe.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: 999,
    recurring: { interval: 'month' },
    tax_behavior: behavior,
  })
  const coupon = await stripe.coupons.create({ percent_off: 10 })
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    success_url: 'https://tidings.example',
    line_items: [{ price, quantity: 1 }],
    discounts: [{ coupon: coupon.id }],
    ...(isTaxed && { automatic_tax: { enabled: true }, customer_update: { address: 'auto' } }),
  })
  await admin.completeCheckout(session.url ?? '')
  const { data } = await stripe.invoices.list({ customer })
  return { session, invoice: data[0] }
}

describe('automatic tax', () => {
  test('is added to an exclusive price after discounts', async () => {
    const { session, invoice } = await buy('exclusive')
    expect(invoice).toMatchObject({
      subtotal: 999,
      total_excluding_tax: 899,
      total: 1_079,
      amount_paid: 1_079,
      total_taxes: [{ amount: 180, tax_behavior: 'exclusive', taxable_amount: 899 }],
    })
    expect(session).toMatchObject({ amount_total: 1_079, total_details: { amount_tax: 180 } })
  })

  test('is part of an inclusive price', async () => {
    const { session, invoice } = await buy('inclusive')
    expect(invoice).toMatchObject({
      total_excluding_tax: 749,
      total: 899,
      total_taxes: [{ amount: 150, tax_behavior: 'inclusive', taxable_amount: 749 }],
    })
    expect(session).toMatchObject({ amount_total: 899, total_details: { amount_tax: 150 } })
  })

  test('is missing from a subscription without it', async () => {
    const { invoice } = await buy('exclusive', false)
    expect(invoice).toMatchObject({ total: 899, total_taxes: [], automatic_tax: { enabled: false } })
  })
})
