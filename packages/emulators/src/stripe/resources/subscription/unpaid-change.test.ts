import { afterAll, describe, expect, test } from 'vitest'
import { giveCard, itemOf, openBilling } from '../../testing/billing.ts'
import { refusal } from '../../testing/start-emulator.ts'

const { halfway, latestInvoice, prices, stop, stripe } = await openBilling()

afterAll(stop)

describe('a change that cannot be paid', () => {
  async function withFailingCard() {
    const half = await halfway()
    await giveCard(stripe, half.customerId, 'pm_card_chargeCustomerFail')
    return half
  }

  test('makes the subscription past due by default', async () => {
    const { id, itemId } = await withFailingCard()
    const changed = await stripe.subscriptions.update(id, {
      items: [{ id: itemId, price: prices.yearly.id }],
    })
    expect(changed.status).toBe('past_due')
    expect(itemOf(changed).price.id).toBe(prices.yearly.id)
  })

  test('is refused whole with error_if_incomplete', async () => {
    const { id, itemId, customerId } = await withFailingCard()
    const change = {
      items: [{ id: itemId, price: prices.yearly.id }],
      payment_behavior: 'error_if_incomplete' as const,
    }
    const error = await refusal(stripe.subscriptions.update(id, change))
    expect(error.statusCode).toBe(402)
    const after = await stripe.subscriptions.retrieve(id)
    expect(after.status).toBe('active')
    expect(itemOf(after).price.id).toBe(prices.monthly.id)
    expect((await stripe.invoices.list({ customer: customerId })).data).toHaveLength(1)
  })

  test('is not refused when its coupon leaves nothing to pay', async () => {
    const { id, itemId } = await withFailingCard()
    const coupon = await stripe.coupons.create({ percent_off: 100, duration: 'once' })
    const changed = await stripe.subscriptions.update(id, {
      items: [{ id: itemId, price: prices.yearly.id }],
      discounts: [{ coupon: coupon.id }],
      payment_behavior: 'error_if_incomplete',
    })
    expect(changed.status).toBe('active')
    expect(await latestInvoice(changed)).toMatchObject({ status: 'paid', amount_due: 0, total: -450 })
  })
})
