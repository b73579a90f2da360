import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  advanceToDay,
  clockStart,
  createMember,
  createPrices,
  daySeconds,
  giveCard,
  itemOf,
} from '../testing/members.ts'
import { refusal } from '../testing/refusal.ts'
import { type StandIn, startStandIn } from '../testing/start-stand-in.ts'

let standIn: StandIn
let stripe: Stripe
let prices: Awaited<ReturnType<typeof createPrices>>

beforeAll(async () => {
  standIn = await startStandIn()
  stripe = standIn.stripe
  prices = await createPrices(stripe)
})
afterAll(() => standIn.stop())

/** A monthly subscription in the middle of its first period: 14 of 28 days have passed. */
async function halfway(price = prices.monthly.id, more: Partial<Stripe.SubscriptionCreateParams> = {}) {
  const member = await createMember(stripe)
  const { id, items } = await stripe.subscriptions.create({
    customer: member.customerId,
    items: [{ price }],
    ...more,
  })
  await advanceToDay(stripe, member.clockId, 14)
  return { ...member, id, itemId: items.data[0]?.id ?? '' }
}

const linesOf = ({ lines }: Stripe.Invoice) => lines.data.map(({ amount }) => amount)

async function latestInvoice({ latest_invoice: invoice }: Stripe.Subscription) {
  return stripe.invoices.retrieve(String(invoice))
}

describe('another price', () => {
  test('of the same interval, invoiced at once, charges the difference for the rest of the period', async () => {
    const { id, itemId } = await halfway()
    const changed = await stripe.subscriptions.update(id, {
      items: [{ id: itemId, price: prices.dearer.id }],
      proration_behavior: 'always_invoice',
    })
    const invoice = await latestInvoice(changed)
    expect(linesOf(invoice)).toEqual([-450, 750])
    expect(invoice).toMatchObject({ status: 'paid', total: 300, billing_reason: 'subscription_update' })
    expect(itemOf(changed)).toMatchObject({ id: itemId, current_period_end: clockStart + 28 * daySeconds })
    expect(invoice.lines.data.map(({ parent }) => parent?.invoice_item_details?.proration)).toEqual([
      true,
      true,
    ])
  })

  test('of the same interval waits for the next invoice by default', async () => {
    const { id, itemId, clockId, customerId } = await halfway()
    await stripe.subscriptions.update(id, { items: [{ id: itemId, price: prices.dearer.id }] })
    const pending = await stripe.invoiceItems.list({ customer: customerId, pending: true })
    expect(pending.data.map(({ amount }) => amount)).toEqual([750, -450])
    await advanceToDay(stripe, clockId, 28)
    const invoice = await latestInvoice(await stripe.subscriptions.retrieve(id))
    expect(linesOf(invoice)).toEqual([-450, 750, 1_500])
    expect(invoice.total).toBe(1_800)
    const left = await stripe.invoiceItems.list({ customer: customerId, pending: true })
    expect(left.data).toEqual([])
  })

  test('without proration costs nothing before the next period', async () => {
    const { id, itemId, clockId } = await halfway()
    await stripe.subscriptions.update(id, {
      items: [{ id: itemId, price: prices.dearer.id }],
      proration_behavior: 'none',
    })
    await advanceToDay(stripe, clockId, 28)
    const invoice = await latestInvoice(await stripe.subscriptions.retrieve(id))
    expect(linesOf(invoice)).toEqual([1_500])
  })

  test('of another interval begins a new period at once and gives back the rest of the old one', async () => {
    const { id, itemId } = await halfway()
    const changed = await stripe.subscriptions.update(id, {
      items: [{ id: itemId, price: prices.yearly.id }],
    })
    const now = clockStart + 14 * daySeconds
    expect(itemOf(changed).current_period_start).toBe(now)
    expect(itemOf(changed).current_period_end).toBe(now + 365 * daySeconds)
    expect(changed.billing_cycle_anchor).toBe(now)
    const invoice = await latestInvoice(changed)
    expect(linesOf(invoice)).toEqual([-450, 9_000])
    expect(invoice.amount_paid).toBe(8_550)
  })

  test('that is cheaper leaves credit, which the next invoices use up', async () => {
    const { id, itemId, clockId, customerId } = await halfway(prices.yearly.id)
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
    const { id, itemId } = await halfway(prices.monthly.id, { discounts: [{ coupon: coupon.id }] })
    const changed = await stripe.subscriptions.update(id, {
      items: [{ id: itemId, price: prices.dearer.id }],
      proration_behavior: 'always_invoice',
    })
    expect(linesOf(await latestInvoice(changed))).toEqual([-225, 750])
  })

  test('and back again costs nothing in the end', async () => {
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

  test('in another currency, or archived, is refused', async () => {
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

  test('in a trial costs nothing and leaves the trial as it is', async () => {
    const member = await createMember(stripe)
    const { id, items } = await stripe.subscriptions.create({
      customer: member.customerId,
      items: [{ price: prices.monthly.id }],
      trial_period_days: 20,
    })
    const changed = await stripe.subscriptions.update(id, {
      items: [{ id: items.data[0]?.id ?? '', price: prices.yearly.id }],
      proration_behavior: 'always_invoice',
    })
    expect(changed.status).toBe('trialing')
    expect((await stripe.invoices.list({ customer: member.customerId })).data).toHaveLength(1)
  })
})

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

describe('POST /v1/invoices/create_preview', () => {
  test.each(['always_invoice', 'create_prorations', 'none'] as const)(
    'a change to yearly with %s costs what it then does cost',
    async (behaviour) => {
      const { id, itemId } = await halfway()
      const items = [{ id: itemId, price: prices.yearly.id }]
      const preview = await stripe.invoices.createPreview({
        subscription: id,
        subscription_details: { items, proration_behavior: behaviour },
      })
      const changed = await stripe.subscriptions.update(id, { items, proration_behavior: behaviour })
      const invoice = await latestInvoice(changed)
      expect(linesOf(preview)).toEqual(linesOf(invoice))
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

  test('of a subscription to come is its first invoice', async () => {
    const { customerId } = await createMember(stripe)
    const coupon = await stripe.coupons.create({ amount_off: 100, currency: 'usd', duration: 'once' })
    const preview = await stripe.invoices.createPreview({
      customer: customerId,
      subscription_details: { items: [{ price: prices.monthly.id }] },
      discounts: [{ coupon: coupon.id }],
    })
    expect(preview).toMatchObject({ subtotal: 900, total: 800, amount_due: 800 })
  })
})

describe('DELETE /v1/subscriptions/:id', () => {
  test('ends it at once, and a second time finds nothing', async () => {
    const { id } = await halfway()
    const canceled = await stripe.subscriptions.cancel(id, {
      cancellation_details: { feedback: 'too_expensive' },
    })
    expect(canceled.status).toBe('canceled')
    expect(canceled.ended_at).toBe(clockStart + 14 * daySeconds)
    expect(canceled.cancellation_details).toMatchObject({
      feedback: 'too_expensive',
      reason: 'cancellation_requested',
    })
    const error = await refusal(stripe.subscriptions.cancel(id))
    expect(error.statusCode).toBe(404)
    expect(error.code).toBe('resource_missing')
  })

  test('with proration gives back the rest as credit', async () => {
    const { id, customerId } = await halfway()
    await stripe.subscriptions.cancel(id, { prorate: true, invoice_now: true })
    expect(await stripe.customers.retrieve(customerId)).toMatchObject({ balance: -450 })
  })

  test('one that has ended cannot be changed', async () => {
    const { id, itemId } = await halfway()
    await stripe.subscriptions.cancel(id)
    const error = await refusal(
      stripe.subscriptions.update(id, { items: [{ id: itemId, price: prices.dearer.id }] }),
    )
    expect(error.statusCode).toBe(400)
  })
})

test('items are added, counted and taken away', async () => {
  const { id, itemId } = await halfway()
  const added = await stripe.subscriptionItems.create({
    subscription: id,
    price: prices.dearer.id,
    quantity: 2,
    proration_behavior: 'none',
  })
  expect(added).toMatchObject({ quantity: 2, current_period_end: clockStart + 28 * daySeconds })
  await stripe.subscriptionItems.del(itemId, { proration_behavior: 'none' })
  const { data } = await stripe.subscriptionItems.list({ subscription: id })
  expect(data.map((item) => item.id)).toEqual([added.id])
  const error = await refusal(stripe.subscriptionItems.del(added.id))
  expect(error.statusCode).toBe(400)
})
