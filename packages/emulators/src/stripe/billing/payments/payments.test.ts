import { afterAll, describe, expect, test } from 'vitest'
import { advanceToDay, createMember, giveCard } from '../../testing/members.ts'
import { openBilling } from '../../testing/open-billing.ts'
import { refusal } from '../../testing/refusal.ts'

const { controls, prices, stop, stripe, subscribe } = await openBilling()
afterAll(stop)

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
    const canceled = await stripe.paymentIntents.cancel(intent.id, { cancellation_reason: 'duplicate' })
    expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'duplicate' })
    const error = await refusal(stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' }))
    expect(error.code).toBe('payment_intent_unexpected_state')
  })
})

describe('the card that is named for a payment', () => {
  /** Somebody who has not paid, and somebody else’s card. */
  async function unpaidMember() {
    const { customerId } = await createMember(stripe, 'pm_card_chargeCustomerFail')
    const { latest_invoice: invoice } = await subscribe(customerId)
    const { cardId: anothers } = await createMember(stripe)
    return { customerId, invoiceId: String(invoice), anothers }
  }

  test('is one of the customer’s for an invoice', async () => {
    const { customerId, invoiceId, anothers } = await unpaidMember()
    const { id: nobodys } = await stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } })
    for (const card of [anothers, nobodys, 'pm_card_visa']) {
      const error = await refusal(stripe.invoices.pay(invoiceId, { payment_method: card }))
      expect(error).toMatchObject({ statusCode: 400, code: 'resource_missing', param: 'payment_method' })
    }
    const [intent] = (await stripe.paymentIntents.list({ customer: customerId })).data
    const error = await refusal(stripe.paymentIntents.confirm(intent?.id ?? '', { payment_method: anothers }))
    expect(error).toMatchObject({ statusCode: 400, param: 'payment_method' })
    expect((await stripe.invoices.retrieve(invoiceId)).status).toBe('open')
  })

  test('is nobody else’s for a payment without an invoice', async () => {
    const { customerId, anothers } = await unpaidMember()
    const payment = { amount: 500, currency: 'usd', customer: customerId }
    const error = await refusal(stripe.paymentIntents.create({ ...payment, payment_method: anothers }))
    expect(error).toMatchObject({ statusCode: 400, param: 'payment_method' })
    const intent = await stripe.paymentIntents.create(payment)
    const late = await refusal(stripe.paymentIntents.confirm(intent.id, { payment_method: anothers }))
    expect(late.statusCode).toBe(400)
    const paid = await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' })
    expect(paid.status).toBe('succeeded')
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
    const { status: completed } = await controls.completeCheckout(session.url ?? '', { card })
    expect(completed).toBe('complete')
    await advanceToDay(stripe, clockId, 29)
    const [subscription] = (await stripe.subscriptions.list({ customer: customerId })).data
    expect(subscription?.status).toBe(status)
  },
)
