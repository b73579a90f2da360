import { afterAll, describe, expect, test } from 'vitest'
import { advanceToDay, createMember, giveCard, openBilling } from '../../testing/billing.ts'
import { refusal } from '../../testing/start-emulator.ts'

const { lastEvent, paidMember, stop, stripe, subscribe } = await openBilling()

afterAll(stop)

describe('invoices', () => {
  test('a paid one is not paid again, voided or opened', async () => {
    const { invoiceId } = await paidMember()
    for (const call of [() => stripe.invoices.pay(invoiceId), () => stripe.invoices.voidInvoice(invoiceId)]) {
      expect((await refusal(call())).statusCode).toBe(400)
    }
  })

  test('an open one that is voided leaves the subscription unpaid for', async () => {
    const member = await createMember(stripe, 'pm_card_chargeCustomerFail')
    const { id, latest_invoice: invoice } = await subscribe(member.customerId)
    const voided = await stripe.invoices.voidInvoice(String(invoice))
    expect(voided.status).toBe('void')
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('incomplete')
    const error = await refusal(stripe.invoices.pay(String(invoice)))
    expect(error.statusCode).toBe(400)
  })

  test('one that is voided gives back the credit that it had used up', async () => {
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

  test('paying with a card that says no is told as a card error', async () => {
    const member = await createMember(stripe, 'pm_card_chargeCustomerFail')
    const { latest_invoice: invoice } = await subscribe(member.customerId)
    const error = await refusal(stripe.invoices.pay(String(invoice)))
    expect(error.statusCode).toBe(402)
    expect(error.code).toBe('card_declined')
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
