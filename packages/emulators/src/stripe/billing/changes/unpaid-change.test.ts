import { afterAll, describe, expect, test } from 'vitest'
import {
  advanceToDay,
  clockStart,
  createMember,
  daySeconds,
  giveCard,
  itemOf,
} from '../../testing/members.ts'
import { openBilling } from '../../testing/open-billing.ts'
import { refusal } from '../../testing/refusal.ts'

const { halfway, latestInvoice, prices, stop, stripe, subscribe } = await openBilling()
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
    expect((await stripe.invoiceItems.list({ customer: customerId })).data).toEqual([])
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

  test('waits with pending_if_incomplete, and happens when the invoice is paid', async () => {
    const { id, itemId, customerId } = await withFailingCard()
    const pending = await stripe.subscriptions.update(id, {
      items: [{ id: itemId, price: prices.yearly.id }],
      payment_behavior: 'pending_if_incomplete',
    })
    expect(pending.status).toBe('active')
    expect(itemOf(pending).price.id).toBe(prices.monthly.id)
    expect(pending.pending_update?.subscription_items?.map(({ price }) => price.id)).toEqual([
      prices.yearly.id,
    ])
    const good = await giveCard(stripe, customerId, 'pm_card_visa')
    await stripe.invoices.pay(String(pending.latest_invoice), { payment_method: good.id })
    const after = await stripe.subscriptions.retrieve(id)
    expect(after.pending_update).toBeNull()
    expect(itemOf(after).price.id).toBe(prices.yearly.id)
  })

  test('waits with nothing but what is billed', async () => {
    const { id, itemId } = await withFailingCard()
    const error = await refusal(
      stripe.subscriptions.update(id, {
        items: [{ id: itemId, price: prices.yearly.id }],
        payment_behavior: 'pending_if_incomplete',
        metadata: { plan: 'yearly' },
      }),
    )
    expect(error).toMatchObject({ statusCode: 400, param: 'payment_behavior' })
    expect((await stripe.subscriptions.retrieve(id)).pending_update).toBeNull()
  })

  test('waits with the end of a trial too', async () => {
    const member = await createMember(stripe)
    const { id } = await subscribe(member.customerId, { trial_period_days: 20 })
    await giveCard(stripe, member.customerId, 'pm_card_chargeCustomerFail')
    const pending = await stripe.subscriptions.update(id, {
      trial_end: 'now',
      payment_behavior: 'pending_if_incomplete',
    })
    expect(pending).toMatchObject({ status: 'trialing', trial_end: clockStart + 20 * daySeconds })
    const good = await giveCard(stripe, member.customerId, 'pm_card_visa')
    await stripe.invoices.pay(String(pending.latest_invoice), { payment_method: good.id })
    const paid = await stripe.subscriptions.retrieve(id)
    expect(paid).toMatchObject({ status: 'active', trial_end: clockStart })
    await advanceToDay(stripe, member.clockId, 27)
    const totals = (await stripe.invoices.list({ customer: member.customerId })).data.map(
      ({ total }) => total,
    )
    expect(totals).toEqual([900, 0])
  })

  test('and waits keeps an end at the period’s end there', async () => {
    const { id, itemId, customerId } = await withFailingCard()
    await stripe.subscriptions.update(id, { cancel_at_period_end: true })
    const pending = await stripe.subscriptions.update(id, {
      items: [{ id: itemId, price: prices.yearly.id }],
      payment_behavior: 'pending_if_incomplete',
    })
    const good = await giveCard(stripe, customerId, 'pm_card_visa')
    await stripe.invoices.pay(String(pending.latest_invoice), { payment_method: good.id })
    const paid = await stripe.subscriptions.retrieve(id)
    expect(paid.cancel_at).toBe(itemOf(paid).current_period_end)
  })

  test('that waits is given up after 23 hours', async () => {
    const { id, itemId, clockId } = await withFailingCard()
    const pending = await stripe.subscriptions.update(id, {
      items: [{ id: itemId, price: prices.yearly.id }],
      payment_behavior: 'pending_if_incomplete',
    })
    await advanceToDay(stripe, clockId, 15)
    const after = await stripe.subscriptions.retrieve(id)
    expect(after.pending_update).toBeNull()
    expect(itemOf(after).price.id).toBe(prices.monthly.id)
    expect((await stripe.invoices.retrieve(String(pending.latest_invoice))).status).toBe('void')
  })
})
