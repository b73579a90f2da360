import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newest, type StripeStore, startStripeStore } from '#test/payments/stripe-store.ts'

let store: StripeStore
beforeEach(async () => {
  store = await startStripeStore()
})
afterEach(() => store.stop())

/** Returns the payment of a new subscriber. */
async function paid() {
  const customerId = await store.join()
  const { latestInvoice } = await store.subscribe(customerId, store.monthly)
  const invoiceId = latestInvoice?.id ?? ''
  const [payment] = await store.gateway.listPayments(invoiceId)
  const order = { paymentId: payment?.id ?? '', invoiceId, appId: 'app_1', memberId: 'mem_1' }
  return { customerId, invoiceId, payment, order }
}

describe('a refund', () => {
  it('is made once with its reason, and can be found', async () => {
    const { gateway, stripe } = store
    const { customerId, invoiceId, payment, order } = await paid()
    expect(payment).toMatchObject({ amount: 499, currency: 'usd', refund: null })
    const refund = await gateway.refund({ ...order, reason: 'paid-twice' })
    expect(refund).toMatchObject({ amount: 499, customerId, paymentId: order.paymentId, hasFailed: false })
    expect(await gateway.refund({ ...order, reason: 'paid-twice' })).toEqual(refund)
    expect(await gateway.listPayments(invoiceId)).toMatchObject([{ amount: 0, refund }])
    const { data } = await stripe.refunds.list()
    expect(data).toMatchObject([
      {
        reason: 'duplicate',
        metadata: { why: 'paid-twice', app: 'app_1', member: 'mem_1', invoice: invoiceId },
      },
    ])
  })

  it('covers only the rest after a manual refund', async () => {
    const { gateway, stripe } = store
    const { invoiceId, order } = await paid()
    const amount = 199
    await stripe.refunds.create({ payment_intent: order.paymentId, amount })
    expect(await gateway.listPayments(invoiceId)).toMatchObject([{ amount: 300, refund: null }])
    expect(await gateway.refund({ ...order, reason: 'account-deleted' })).toMatchObject({ amount: 300 })

    const other = await paid()
    await stripe.refunds.create({ payment_intent: other.order.paymentId })
    expect(await gateway.listPayments(other.invoiceId)).toEqual([])
    expect(await gateway.refund({ ...other.order, reason: 'paid-after-end' })).toBeNull()
  })

  it('is made for another reason after Stripe refused it', async () => {
    const { gateway, controls, stripe } = store
    const { customerId, order } = await paid()
    const { data } = await stripe.charges.list({ customer: customerId })
    const { id } = await controls.openDispute(data[0]?.id ?? '')
    expect(await gateway.refund({ ...order, reason: 'paid-twice' })).toBeNull()
    await controls.closeDispute(id, 'won')
    // Stripe rejects other parameters under the key of the refused refund.
    const refund = await gateway.refund({ ...order, memberId: null, reason: 'account-deleted' })
    expect(refund).toMatchObject({ amount: 499, paymentId: order.paymentId })
  })

  it('is listed when it failed', async () => {
    const { gateway, controls, clock } = store
    const [one, other] = [await paid(), await paid()]
    const refund = await gateway.refund({ ...one.order, reason: 'paid-twice' })
    await gateway.refund({ ...other.order, reason: 'paid-twice' })
    await controls.failRefund(refund?.id ?? '')
    const failed: unknown[] = []
    for await (const page of gateway.listFailedRefunds(clock.now())) failed.push(...page)
    expect(failed).toEqual([{ ...refund, hasFailed: true }])
    expect(await gateway.findRefund(refund?.id ?? '')).toEqual({ ...refund, hasFailed: true })
    expect(await gateway.findRefund('re_unknown')).toBeNull()
  })

  it('is not made for a free invoice', async () => {
    const { gateway, stripe, monthly } = store
    const customer = await store.join()
    await stripe.subscriptions.create({ customer, items: [{ price: monthly.id }], trial_period_days: 7 })
    const { latestInvoice } = await newest(gateway, customer)
    expect(await gateway.listPayments(latestInvoice?.id ?? '')).toEqual([])
  })
})
