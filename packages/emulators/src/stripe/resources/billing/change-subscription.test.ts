import { afterAll, describe, expect, test } from 'vitest'
import {
  advanceToDay,
  amountsOf,
  clockStart,
  createMember,
  daySeconds,
  giveCard,
  itemOf,
  openBilling,
} from '../../testing/billing.ts'
import { refusal } from '../../testing/start-emulator.ts'

const { halfway, latestInvoice, prices, stop, stripe, subscribe } = await openBilling()
afterAll(stop)

describe('changing the price', () => {
  test('within the same interval charges the difference for the rest of the period', async () => {
    const { id, itemId } = await halfway()
    const changed = await stripe.subscriptions.update(id, {
      items: [{ id: itemId, price: prices.dearer.id }],
      proration_behavior: 'always_invoice',
    })
    const invoice = await latestInvoice(changed)
    expect(amountsOf(invoice)).toEqual([-450, 750])
    expect(invoice).toMatchObject({ status: 'paid', total: 300, billing_reason: 'subscription_update' })
    expect(itemOf(changed)).toMatchObject({ id: itemId, current_period_end: clockStart + 28 * daySeconds })
    expect(invoice.lines.data.map(({ parent }) => parent?.invoice_item_details?.proration)).toEqual([
      true,
      true,
    ])
  })

  test('within the same interval rejects prorations on a later invoice', async () => {
    const { id, itemId } = await halfway()
    const items = [{ id: itemId, price: prices.dearer.id }]
    const error = await refusal(stripe.subscriptions.update(id, { items }))
    expect(error).toMatchObject({ statusCode: 400, param: 'proration_behavior' })
  })

  test('without proration costs nothing before the next period', async () => {
    const { id, itemId, clockId } = await halfway()
    await stripe.subscriptions.update(id, {
      items: [{ id: itemId, price: prices.dearer.id }],
      proration_behavior: 'none',
    })
    await advanceToDay(stripe, clockId, 28)
    const invoice = await latestInvoice(await stripe.subscriptions.retrieve(id))
    expect(amountsOf(invoice)).toEqual([1_500])
  })

  test('to another interval starts a new period and credits the old one', async () => {
    const { id, itemId } = await halfway()
    const changed = await stripe.subscriptions.update(id, {
      items: [{ id: itemId, price: prices.yearly.id }],
    })
    const now = clockStart + 14 * daySeconds
    expect(itemOf(changed).current_period_start).toBe(now)
    expect(itemOf(changed).current_period_end).toBe(now + 365 * daySeconds)
    expect(changed.billing_cycle_anchor).toBe(now)
    const invoice = await latestInvoice(changed)
    expect(amountsOf(invoice)).toEqual([-450, 9_000])
    expect(invoice.amount_paid).toBe(8_550)
  })

  test('to a cheaper price leaves credit for the next invoices', async () => {
    const { id, itemId, clockId, customerId } = await halfway({ items: [{ price: prices.yearly.id }] })
    const changed = await stripe.subscriptions.update(id, {
      items: [{ id: itemId, price: prices.monthly.id }],
      proration_behavior: 'always_invoice',
    })
    const credit = Math.round((9_000 * 351) / 365)
    const invoice = await latestInvoice(changed)
    expect(invoice).toMatchObject({ status: 'paid', total: 900 - credit, amount_due: 0, amount_paid: 0 })
    const customer = await stripe.customers.retrieve(customerId)
    expect(customer).toMatchObject({ balance: 900 - credit })
    await advanceToDay(stripe, clockId, 50)
    const next = await latestInvoice(await stripe.subscriptions.retrieve(id))
    expect(next).toMatchObject({ total: 900, amount_due: 0, status: 'paid', starting_balance: 900 - credit })
  })

  test('credits what was paid after a discount, not the full price', async () => {
    const coupon = await stripe.coupons.create({ percent_off: 50, duration: 'once' })
    const { id, itemId } = await halfway({ discounts: [{ coupon: coupon.id }] })
    const changed = await stripe.subscriptions.update(id, {
      items: [{ id: itemId, price: prices.dearer.id }],
      proration_behavior: 'always_invoice',
    })
    expect(amountsOf(await latestInvoice(changed))).toEqual([-225, 750])
  })

  test('and back again costs nothing', async () => {
    const { id, itemId } = await halfway()
    const change = (price: string) =>
      stripe.subscriptions.update(id, {
        items: [{ id: itemId, price }],
        proration_behavior: 'always_invoice',
      })
    await change(prices.dearer.id)
    const back = await change(prices.monthly.id)
    expect((await latestInvoice(back)).total).toBe(-300)
  })

  test('to another currency or an archived price is rejected', async () => {
    const { id, itemId } = await halfway()
    const other = await stripe.prices.create({
      product: String(prices.monthly.product),
      currency: 'eur',
      unit_amount: 900,
      recurring: { interval: 'month' },
    })
    const inEuro = await refusal(
      stripe.subscriptions.update(id, { items: [{ id: itemId, price: other.id }] }),
    )
    expect(inEuro.param).toBe('items[0][price]')
    const archived = await stripe.prices.create({
      product: String(prices.monthly.product),
      currency: 'usd',
      unit_amount: 800,
      recurring: { interval: 'month' },
    })
    await stripe.prices.update(archived.id, { active: false })
    const old = await refusal(
      stripe.subscriptions.update(id, { items: [{ id: itemId, price: archived.id }] }),
    )
    expect(old.message).toContain('inactive')
  })

  test('in a trial costs nothing and keeps the trial', async () => {
    const member = await createMember(stripe)
    const { id, items } = await subscribe(member.customerId, { trial_period_days: 20 })
    const changed = await stripe.subscriptions.update(id, {
      items: [{ id: items.data[0]?.id ?? '', price: prices.yearly.id }],
      proration_behavior: 'always_invoice',
    })
    expect(changed.status).toBe('trialing')
    expect((await stripe.invoices.list({ customer: member.customerId })).data).toHaveLength(1)
  })

  test('with a one-time coupon lowers only the invoice of the change', async () => {
    const { id, itemId } = await halfway()
    const coupon = await stripe.coupons.create({ percent_off: 50, duration: 'once' })
    const changed = await stripe.subscriptions.update(id, {
      items: [{ id: itemId, price: prices.yearly.id }],
      discounts: [{ coupon: coupon.id }],
    })
    expect((await latestInvoice(changed)).total).toBe(4_500 - 450)
    expect(changed.discounts).toEqual([])
    expect((await stripe.invoices.createPreview({ subscription: id })).total).toBe(9_000)
  })
})

test('a subscription whose own card is cleared charges the default card of the customer', async () => {
  const { id, clockId, customerId } = await halfway()
  const own = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customerId })
  await stripe.subscriptions.update(id, { default_payment_method: own.id })
  const cleared = await stripe.subscriptions.update(id, { default_payment_method: '' })
  expect(cleared.default_payment_method).toBeNull()
  await advanceToDay(stripe, clockId, 29)
  expect(await latestInvoice(await stripe.subscriptions.retrieve(id))).toMatchObject({
    status: 'paid',
    billing_reason: 'subscription_cycle',
  })
})

describe('POST /v1/invoices/create_preview', () => {
  test.each(['always_invoice', 'create_prorations', 'none'] as const)(
    'a preview with %s matches the invoice of the change',
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

  test('without a change shows the next renewal', async () => {
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

describe('a change whose payment fails', () => {
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

  test('changes nothing with error_if_incomplete', async () => {
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

  test('succeeds when its coupon covers the amount', async () => {
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
