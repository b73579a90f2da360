import { afterAll, describe, expect, test } from 'vitest'
import { advanceToDay, createMember, giveCard, openBilling } from '../../testing/billing.ts'
import { refusal } from '../../testing/start-emulator.ts'
import type { CouponRecord } from '../products/coupon.ts'
import type { InvoiceLineRecord } from './invoice.ts'
import { type ActiveDiscount, invoiceTotals, netOf, shareOf, withDiscounts } from './invoice-lines.ts'

const { admin, lastEvent, paidMember, prices, stop, stripe, subscribe } = await openBilling()
afterAll(stop)

describe('invoices', () => {
  test('a paid invoice cannot be paid or voided', async () => {
    const { invoiceId } = await paidMember()
    for (const call of [() => stripe.invoices.pay(invoiceId), () => stripe.invoices.voidInvoice(invoiceId)]) {
      expect((await refusal(call())).statusCode).toBe(400)
    }
  })

  test('voiding the first invoice leaves the subscription incomplete', async () => {
    const member = await createMember(stripe, 'pm_card_chargeCustomerFail')
    const { id, latest_invoice: invoice } = await subscribe(member.customerId)
    const voided = await stripe.invoices.voidInvoice(String(invoice))
    expect(voided.status).toBe('void')
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('incomplete')
    const error = await refusal(stripe.invoices.pay(String(invoice)))
    expect(error.statusCode).toBe(400)
  })

  test('voiding an invoice returns the credit that it used', async () => {
    const { customerId } = await createMember(stripe, 'pm_card_chargeCustomerFail')
    await stripe.customers.update(customerId, { balance: -400 })
    const { latest_invoice: invoice } = await subscribe(customerId)
    expect(await stripe.invoices.retrieve(String(invoice))).toMatchObject({ total: 900, amount_due: 500 })
    expect(await stripe.customers.retrieve(customerId)).toMatchObject({ balance: 0 })
    await stripe.invoices.voidInvoice(String(invoice))
    expect(await stripe.customers.retrieve(customerId)).toMatchObject({ balance: -400 })
    const event = await lastEvent('customer.updated')
    expect(event?.data.previous_attributes).toEqual({ balance: 0 })
  })

  test('finds a payment by invoice and by payment intent', async () => {
    const { invoiceId, charge } = await paidMember()
    const [payment] = (await stripe.invoicePayments.list({ invoice: invoiceId })).data
    expect(payment).toMatchObject({ status: 'paid', amount_paid: 900, invoice: invoiceId })
    const byIntent = await stripe.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: String(charge.payment_intent) },
    })
    expect(byIntent.data.map(({ id }) => id)).toEqual([payment?.id])
  })
})

describe('after the last retry', () => {
  test.each([
    ['unpaid', 'unpaid', ['paid', 'open', 'draft']],
    ['past_due', 'past_due', ['paid', 'open', 'open']],
  ] as const)('with %s the subscription is %s', async (afterLastRetry, status, invoices) => {
    const other = await openBilling({ afterLastRetry })
    try {
      const member = await createMember(other.stripe)
      const { id } = await other.subscribe(member.customerId)
      await giveCard(other.stripe, member.customerId, 'pm_card_chargeCustomerFail')
      await advanceToDay(other.stripe, member.clockId, 60)
      expect((await other.stripe.subscriptions.retrieve(id)).status).toBe(status)
      const { data } = await other.stripe.invoices.list({ subscription: id })
      expect(data.map((invoice) => invoice.status).reverse()).toEqual(invoices)
    } finally {
      await other.stop()
    }
  })
})

describe('the card that is named for a payment', () => {
  /** Creates a member with an unpaid invoice, and another member's card. */
  async function unpaidMember() {
    const { customerId } = await createMember(stripe, 'pm_card_chargeCustomerFail')
    const { latest_invoice: invoice } = await subscribe(customerId)
    const { cardId: anothers } = await createMember(stripe)
    return { invoiceId: String(invoice), anothers }
  }

  test('must be the customer’s own', async () => {
    const { invoiceId, anothers } = await unpaidMember()
    for (const card of [anothers, 'pm_card_visa']) {
      const error = await refusal(stripe.invoices.pay(invoiceId, { payment_method: card }))
      expect(error).toMatchObject({ statusCode: 400, code: 'resource_missing', param: 'payment_method' })
    }
    expect((await stripe.invoices.retrieve(invoiceId)).status).toBe('open')
  })
})

test.each([
  ['4000002500003155', 'active'],
  ['4000002760003184', 'past_due'],
])(
  'a subscription that was paid on the page with the card %s is %s after its renewal',
  async (card, status) => {
    const { customerId, clockId } = await createMember(stripe)
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: customerId,
      line_items: [{ price: prices.monthly.id, quantity: 1 }],
      success_url: 'https://tidings.example/paid',
    })
    const { status: completed } = await admin.completeCheckout(session.url ?? '', { card })
    expect(completed).toBe('complete')
    await advanceToDay(stripe, clockId, 29)
    const [subscription] = (await stripe.subscriptions.list({ customer: customerId })).data
    expect(subscription?.status).toBe(status)
  },
)

const line: InvoiceLineRecord = {
  id: 'il_1',
  amount: 900,
  discountAmounts: [],
  description: 'Tidings',
  period: { start: 0, end: 100 },
  priceId: 'price_1',
  productId: 'prod_1',
  quantity: 1,
  isProration: false,
  subscriptionId: 'sub_1',
  subscriptionItemId: 'si_1',
  metadata: {},
}

function discount(id: string, coupon: Partial<CouponRecord>): ActiveDiscount {
  return {
    discount: { id, couponId: id, promotionCodeId: null, start: 0, end: null, timesUsed: 0 },
    coupon: {
      id,
      created: 0,
      metadata: {},
      name: null,
      percentOff: null,
      amountOff: null,
      currency: null,
      duration: 'forever',
      durationInMonths: null,
      maxRedemptions: null,
      redeemBy: null,
      timesRedeemed: 0,
      deleted: false,
      ...coupon,
    },
  }
}

test('a percentage is rounded to the cent', () => {
  const [discounted = line] = withDiscounts([{ ...line, amount: 999 }], 'usd', [
    discount('d', { percentOff: 33.3 }),
  ])
  expect(netOf(discounted)).toBe(999 - 333)
})

test('two discounts are taken one after the other', () => {
  const discounts = [discount('a', { percentOff: 50 }), discount('b', { percentOff: 10 })]
  const [discounted = line] = withDiscounts([line], 'usd', discounts)
  expect(discounted.discountAmounts).toEqual([
    { amount: 450, discountId: 'a' },
    { amount: 45, discountId: 'b' },
  ])
})

test('an amount off never goes below zero', () => {
  const off = discount('a', { amountOff: 1_000, currency: 'usd' })
  const lines = withDiscounts([line], 'usd', [off])
  expect(lines.map(netOf)).toEqual([0])
  expect(invoiceTotals(lines)).toEqual({ subtotal: 900, total: 0 })
})

test('an amount in another currency gives no discount', () => {
  const off = discount('a', { amountOff: 1_000, currency: 'eur' })
  expect(withDiscounts([line], 'usd', [off]).map(netOf)).toEqual([900])
})

test('prorations and credits are not discounted a second time', () => {
  const lines = [
    { ...line, isProration: true },
    { ...line, amount: -400 },
  ]
  expect(withDiscounts(lines, 'usd', [discount('a', { percentOff: 50 })]).map(netOf)).toEqual([900, -400])
})

test.each([
  [900, 0, 900],
  [900, 50, 450],
  [900, 100, 0],
  [900, 120, 0],
  [100, 67, 33],
  [999, 50, 500],
])('of %i for a period of 100, at %i, %i remain unused', (amount, from, left) => {
  expect(shareOf(amount, { start: 0, end: 100 }, from)).toBe(left)
})
