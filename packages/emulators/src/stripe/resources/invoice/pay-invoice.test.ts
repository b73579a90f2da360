import { afterAll, describe, expect, test } from 'vitest'
import { advanceToDay, createMember, openBilling } from '../../testing/billing.ts'
import { refusal } from '../../testing/start-emulator.ts'

const { admin, prices, stop, stripe, subscribe } = await openBilling()

afterAll(stop)

describe('the card that is named for a payment', () => {
  /** Somebody who has not paid, and somebody else’s card. */
  async function unpaidMember() {
    const { customerId } = await createMember(stripe, 'pm_card_chargeCustomerFail')
    const { latest_invoice: invoice } = await subscribe(customerId)
    const { cardId: anothers } = await createMember(stripe)
    return { invoiceId: String(invoice), anothers }
  }

  test('is one of the customer’s for an invoice', async () => {
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
