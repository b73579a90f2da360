import { describe, expect } from 'vitest'
import { newest, pagesOf, storeTest, subscribed } from '#test/payments/stripe-store.ts'

const it = storeTest()
  /** Returns the payment of a new subscriber. */
  .extend('pay', ({ ownStore: store }) => async () => {
    const { customerId, subscription } = await subscribed(store)
    const invoiceId = subscription.latestInvoice?.id ?? ''
    const [payment] = await store.gateway.listPayments(invoiceId)
    const order = { paymentId: payment?.id ?? '', invoiceId, appId: 'app_1', memberId: 'mem_1' }
    return { customerId, invoiceId, payment, order }
  })

describe('a refund', () => {
  it('is made once with its reason, and can be found', async ({ ownStore, pay }) => {
    const { gateway, stripe } = ownStore
    const { customerId, invoiceId, payment, order } = await pay()
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

  it('covers only the rest after a manual refund', async ({ ownStore, pay }) => {
    const { gateway, stripe } = ownStore
    const { invoiceId, order } = await pay()
    const amount = 199
    await stripe.refunds.create({ payment_intent: order.paymentId, amount })
    expect(await gateway.listPayments(invoiceId)).toMatchObject([{ amount: 300, refund: null }])
    expect(await gateway.refund({ ...order, reason: 'account-deleted' })).toMatchObject({ amount: 300 })

    const other = await pay()
    await stripe.refunds.create({ payment_intent: other.order.paymentId })
    expect(await gateway.listPayments(other.invoiceId)).toEqual([])
    expect(await gateway.refund({ ...other.order, reason: 'paid-after-end' })).toBeNull()
  })

  it('is made for another reason after Stripe refused it', async ({ ownStore, pay }) => {
    const { gateway, controls, stripe } = ownStore
    const { customerId, order } = await pay()
    const { data } = await stripe.charges.list({ customer: customerId })
    const { id } = await controls.openDispute(data[0]?.id ?? '')
    expect(await gateway.refund({ ...order, reason: 'paid-twice' })).toBeNull()
    await controls.closeDispute(id, 'won')
    // Stripe rejects other parameters under the key of the refused refund.
    const refund = await gateway.refund({ ...order, memberId: null, reason: 'account-deleted' })
    expect(refund).toMatchObject({ amount: 499, paymentId: order.paymentId })
  })

  it('is listed when it failed', async ({ ownStore, pay }) => {
    const { gateway, controls, clock } = ownStore
    const [one, other] = [await pay(), await pay()]
    const refund = await gateway.refund({ ...one.order, reason: 'paid-twice' })
    await gateway.refund({ ...other.order, reason: 'paid-twice' })
    await controls.failRefund(refund?.id ?? '')
    const failed = await pagesOf(gateway.listFailedRefunds(clock.now()))
    expect(failed.flat()).toEqual([{ ...refund, hasFailed: true }])
    expect(await gateway.findRefund(refund?.id ?? '')).toEqual({ ...refund, hasFailed: true })
    expect(await gateway.findRefund('re_unknown')).toBeNull()
  })

  it('is not made for a free invoice', async ({ ownStore }) => {
    const { gateway, stripe, monthly } = ownStore
    const customer = await ownStore.join()
    await stripe.subscriptions.create({ customer, items: [{ price: monthly.id }], trial_period_days: 7 })
    const { latestInvoice } = await newest(gateway, customer)
    expect(await gateway.listPayments(latestInvoice?.id ?? '')).toEqual([])
  })
})
