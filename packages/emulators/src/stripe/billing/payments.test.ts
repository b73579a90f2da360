import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advanceToDay, createMember, createPrices, giveCard } from '../testing/members.ts'
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

/** A member whose first month is paid, with the charge of it. */
async function paidMember() {
  const member = await createMember(stripe)
  const subscription = await stripe.subscriptions.create({
    customer: member.customerId,
    items: [{ price: prices.monthly.id }],
  })
  const [charge] = (await stripe.charges.list({ customer: member.customerId })).data
  if (!charge) throw new Error('Nothing was charged.')
  return { ...member, id: subscription.id, charge, invoiceId: String(subscription.latest_invoice) }
}

async function lastEvent(type: string) {
  const [event] = (await stripe.events.list({ type, limit: 1 })).data
  return event
}

function post(path: string, body: unknown) {
  return fetch(`${standIn.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

describe('refunds', () => {
  test('part of a charge, then the rest, then nothing more', async () => {
    const { charge } = await paidMember()
    const part = await stripe.refunds.create({
      charge: charge.id,
      amount: 300,
      reason: 'requested_by_customer',
    })
    expect(part).toMatchObject({ amount: 300, status: 'succeeded', payment_intent: charge.payment_intent })
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 300, refunded: false })
    const rest = await stripe.refunds.create({ payment_intent: String(charge.payment_intent) })
    expect(rest.amount).toBe(600)
    const after = await stripe.charges.retrieve(charge.id)
    expect(after).toMatchObject({ amount_refunded: 900, refunded: true })
    expect(after.refunds?.data.map(({ amount }) => amount)).toEqual([600, 300])
    const error = await refusal(stripe.refunds.create({ charge: charge.id }))
    expect(error.code).toBe('charge_already_refunded')
  })

  test('more than is left is refused', async () => {
    const { charge } = await paidMember()
    const error = await refusal(stripe.refunds.create({ charge: charge.id, amount: 901 }))
    expect(error.statusCode).toBe(400)
    expect(error.param).toBe('amount')
  })

  test('a charge that failed is not refunded', async () => {
    const member = await createMember(stripe, 'pm_card_chargeCustomerFail')
    await stripe.subscriptions.create({ customer: member.customerId, items: [{ price: prices.monthly.id }] })
    const [charge] = (await stripe.charges.list({ customer: member.customerId })).data
    expect(charge).toMatchObject({ status: 'failed', paid: false, failure_code: 'card_declined' })
    const error = await refusal(stripe.refunds.create({ charge: charge?.id ?? '' }))
    expect(error.statusCode).toBe(400)
  })

  test('tell of the charge as it is after', async () => {
    const { charge } = await paidMember()
    await stripe.refunds.create({ charge: charge.id })
    const event = await lastEvent('charge.refunded')
    expect(event?.data.object).toMatchObject({ id: charge.id, refunded: true })
    expect(event?.data.previous_attributes).toMatchObject({ refunded: false, amount_refunded: 0 })
  })
})

describe('disputes', () => {
  test('a cardholder’s bank takes a charge back, and the shop loses', async () => {
    const { charge } = await paidMember()
    const response = await post('/stripe/disputes', { charge: charge.id })
    expect(response.status).toBe(200)
    const [dispute] = (await stripe.disputes.list({ charge: charge.id })).data
    expect(dispute).toMatchObject({ amount: 900, status: 'needs_response', reason: 'fraudulent' })
    expect((await stripe.charges.retrieve(charge.id)).disputed).toBe(true)
    expect((await lastEvent('charge.dispute.created'))?.data.object).toMatchObject({ id: dispute?.id })
    const error = await refusal(stripe.refunds.create({ charge: charge.id }))
    expect(error.code).toBe('charge_disputed')
    await post(`/stripe/disputes/${dispute?.id}/close`, { outcome: 'lost' })
    expect((await lastEvent('charge.dispute.closed'))?.data.object).toMatchObject({ status: 'lost' })
  })

  test('one that is won can be refunded', async () => {
    const { charge } = await paidMember()
    await post('/stripe/disputes', { charge: charge.id, reason: 'duplicate' })
    const [dispute] = (await stripe.disputes.list({ charge: charge.id })).data
    await post(`/stripe/disputes/${dispute?.id}/close`, { outcome: 'won' })
    expect((await stripe.refunds.create({ charge: charge.id })).status).toBe('succeeded')
  })

  test.each([
    ['an unknown charge', { charge: 'ch_none' }],
    ['no charge', {}],
  ])('%s cannot be disputed', async (_what, body) => {
    const response = await post('/stripe/disputes', body)
    expect(response.status).toBe(400)
  })
})

describe('payment intents', () => {
  test('a payment that asks for proof waits for it', async () => {
    const customer = await stripe.customers.create({})
    const card = await stripe.paymentMethods.attach('pm_card_authenticationRequired', {
      customer: customer.id,
    })
    const intent = await stripe.paymentIntents.create({
      amount: 500,
      currency: 'usd',
      customer: customer.id,
      payment_method: card.id,
      confirm: true,
    })
    expect(intent.status).toBe('requires_action')
    expect(intent.next_action).not.toBeNull()
  })

  test('a declined one says why and takes another card', async () => {
    const customer = await stripe.customers.create({})
    const bad = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customer.id })
    const intent = await stripe.paymentIntents.create({ amount: 500, currency: 'usd', customer: customer.id })
    expect(intent.status).toBe('requires_payment_method')
    const error = await refusal(stripe.paymentIntents.confirm(intent.id, { payment_method: bad.id }))
    expect(error.statusCode).toBe(402)
    expect(error.decline_code).toBe('generic_decline')
    const good = await giveCard(stripe, customer.id, 'pm_card_visa')
    const paid = await stripe.paymentIntents.confirm(intent.id, { payment_method: good.id })
    expect(paid).toMatchObject({ status: 'succeeded', amount_received: 500, last_payment_error: null })
    const again = await refusal(stripe.paymentIntents.confirm(intent.id, { payment_method: good.id }))
    expect(again.code).toBe('payment_intent_unexpected_state')
  })

  test('one that is canceled is not paid', async () => {
    const intent = await stripe.paymentIntents.create({ amount: 500, currency: 'usd' })
    expect((await stripe.paymentIntents.cancel(intent.id)).status).toBe('canceled')
    const error = await refusal(stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' }))
    expect(error.code).toBe('payment_intent_unexpected_state')
  })
})

describe('invoices', () => {
  test('a paid one is not paid again, voided or opened', async () => {
    const { invoiceId } = await paidMember()
    for (const call of [
      stripe.invoices.pay(invoiceId),
      stripe.invoices.voidInvoice(invoiceId),
      stripe.invoices.finalizeInvoice(invoiceId),
    ]) {
      expect((await refusal(call)).statusCode).toBe(400)
    }
  })

  test('an open one that is voided leaves the subscription unpaid for', async () => {
    const member = await createMember(stripe, 'pm_card_chargeCustomerFail')
    const { id, latest_invoice: invoice } = await stripe.subscriptions.create({
      customer: member.customerId,
      items: [{ price: prices.monthly.id }],
    })
    const voided = await stripe.invoices.voidInvoice(String(invoice))
    expect(voided.status).toBe('void')
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('incomplete')
    const error = await refusal(stripe.invoices.pay(String(invoice)))
    expect(error.statusCode).toBe(400)
  })

  test('paying with a card that says no is told as a card error', async () => {
    const member = await createMember(stripe, 'pm_card_chargeCustomerFail')
    const { latest_invoice: invoice } = await stripe.subscriptions.create({
      customer: member.customerId,
      items: [{ price: prices.monthly.id }],
    })
    const error = await refusal(stripe.invoices.pay(String(invoice)))
    expect(error.statusCode).toBe(402)
    expect(error.code).toBe('card_declined')
  })

  test('one made by hand takes up what waits and is paid', async () => {
    const { customerId } = await createMember(stripe)
    await stripe.invoiceItems.create({
      customer: customerId,
      amount: 250,
      currency: 'usd',
      description: 'A book',
    })
    const draft = await stripe.invoices.create({
      customer: customerId,
      pending_invoice_items_behavior: 'include',
    })
    expect(draft).toMatchObject({ status: 'draft', total: 250, billing_reason: 'manual', number: null })
    const paid = await stripe.invoices.pay(draft.id)
    expect(paid).toMatchObject({ status: 'paid', amount_paid: 250 })
    expect(paid.number).not.toBeNull()
    expect(paid.lines.data[0]?.description).toBe('A book')
  })

  test('one made by hand that advances by itself is opened after an hour and paid', async () => {
    const { customerId, clockId } = await createMember(stripe)
    await stripe.invoiceItems.create({ customer: customerId, amount: 250, currency: 'usd' })
    const draft = await stripe.invoices.create({
      customer: customerId,
      pending_invoice_items_behavior: 'include',
      auto_advance: true,
    })
    await advanceToDay(stripe, clockId, 1)
    expect((await stripe.invoices.retrieve(draft.id)).status).toBe('paid')
  })

  test('one paid by other means needs no card', async () => {
    const member = await createMember(stripe, 'pm_card_chargeCustomerFail')
    const { id, latest_invoice: invoice } = await stripe.subscriptions.create({
      customer: member.customerId,
      items: [{ price: prices.monthly.id }],
    })
    await stripe.invoices.pay(String(invoice), { paid_out_of_band: true })
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active')
  })

  test('its payment is found by invoice and by payment intent', async () => {
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
    const other = await startStandIn({ afterLastRetry })
    try {
      const own = await createPrices(other.stripe)
      const member = await createMember(other.stripe)
      const { id } = await other.stripe.subscriptions.create({
        customer: member.customerId,
        items: [{ price: own.monthly.id }],
      })
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
    const { pathname } = new URL(session.url ?? '')
    const response = await post(`${pathname}/complete`, { card })
    expect(response.status).toBe(200)
    await advanceToDay(stripe, clockId, 29)
    const [subscription] = (await stripe.subscriptions.list({ customer: customerId })).data
    expect(subscription?.status).toBe(status)
  },
)
