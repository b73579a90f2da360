import { afterAll, describe, expect, test } from 'vitest'
import { amountsOf, clockStart, daySeconds, openBilling } from '../../testing/billing.ts'
import { refusal } from '../../testing/start-emulator.ts'

const { halfway, latestInvoice, prices, stop, stripe } = await openBilling()

afterAll(stop)

describe('POST /v1/invoices/create_preview', () => {
  test.each(['always_invoice', 'create_prorations', 'none'] as const)(
    'a change to yearly with %s costs what it then does cost',
    async (behavior) => {
      const { id, itemId } = await halfway()
      const items = [{ id: itemId, price: prices.yearly.id }]
      const preview = await stripe.invoices.createPreview({
        subscription: id,
        subscription_details: { items, proration_behavior: behavior },
      })
      const changed = await stripe.subscriptions.update(id, { items, proration_behavior: behavior })
      const invoice = await latestInvoice(changed)
      expect(amountsOf(preview)).toEqual(amountsOf(invoice))
      expect(preview.amount_due).toBe(invoice.amount_paid)
    },
  )

  test('changes nothing', async () => {
    const { id, itemId, customerId } = await halfway()
    const before = await stripe.subscriptions.retrieve(id)
    const coupon = await stripe.coupons.create({ percent_off: 50, duration: 'once' })
    await stripe.invoices.createPreview({
      subscription: id,
      discounts: [{ coupon: coupon.id }],
      subscription_details: {
        items: [{ id: itemId, price: prices.dearer.id }],
        proration_behavior: 'always_invoice',
      },
    })
    expect(await stripe.subscriptions.retrieve(id)).toEqual(before)
    expect((await stripe.invoices.list({ customer: customerId })).data).toHaveLength(1)
    expect((await stripe.coupons.retrieve(coupon.id)).times_redeemed).toBe(0)
  })

  test('without a change it is the next renewal', async () => {
    const { id } = await halfway()
    const preview = await stripe.invoices.createPreview({ subscription: id })
    expect(preview).toMatchObject({ total: 900, billing_reason: 'upcoming', status: 'draft' })
    expect(preview.lines.data[0]?.period.start).toBe(clockStart + 28 * daySeconds)
  })

  test('a subscription that ends has no next invoice', async () => {
    const { id } = await halfway()
    await stripe.subscriptions.update(id, { cancel_at_period_end: true })
    const error = await refusal(stripe.invoices.createPreview({ subscription: id }))
    expect(error.statusCode).toBe(404)
    expect(error.code).toBe('invoice_upcoming_none')
  })
})
