import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PaymentsRefusedError } from '#integrations/payments/gateway-errors.ts'
import type { Subscription } from '#integrations/payments/payment-gateway.ts'
import {
  newest,
  orderOf,
  type StripeStore,
  startStripeStore,
  storeSales,
} from '#test/payments/stripe-store.ts'

let store: StripeStore
beforeAll(async () => {
  store = await startStripeStore()
})
afterAll(() => store.stop())

/** Lets a month pass and the customer's renewal fail. */
async function failRenewal(
  { stripe, gateway, pass }: StripeStore,
  customerId: string,
): Promise<Subscription> {
  const failing = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customerId })
  const { id } = await newest(gateway, customerId)
  await stripe.subscriptions.update(id, { default_payment_method: failing.id })
  await pass(31)
  return await newest(gateway, customerId)
}

describe('cancelSubscription and cancelAll', () => {
  const aMinuteLater = () => new Date(store.clock.now().getTime() + 60_000)

  it('cancelSubscription is idempotent', async () => {
    const { gateway, monthly } = store
    const customerId = await store.join()
    const { id } = await store.subscribe(customerId, monthly)
    await gateway.cancelSubscription(id)
    await gateway.cancelSubscription(id)
    expect((await newest(gateway, customerId)).status).toBe('canceled')
  })

  it('cancelAll expires open checkouts, cancels subscriptions and is idempotent', async () => {
    const { gateway, stripe, controls, monthly } = store
    const customerId = await store.join()
    const paid = await store.subscribe(customerId, monthly)
    const { url } = await gateway.startCheckout({ ...orderOf(customerId, monthly), known: [paid] })
    await gateway.cancelAll(customerId, storeSales, aMinuteLater())
    await gateway.cancelAll(customerId, storeSales, aMinuteLater())
    expect((await controls.completeCheckout(url)).status).toBe('expired')
    const open = await stripe.checkout.sessions.list({ customer: customerId, status: 'open' })
    expect(open.data).toEqual([])
    expect((await gateway.listSubscriptions(customerId, storeSales)).map(({ status }) => status)).toEqual([
      'canceled',
    ])
  })

  it('cancelAll returns only the invoices paid since the given time', async () => {
    const { gateway, monthly, clock } = store
    const customerId = await store.join()
    const { latestInvoice } = await store.subscribe(customerId, monthly)
    expect((await gateway.cancelAll(customerId, storeSales, aMinuteLater())).paid).toEqual([])
    expect(await gateway.cancelAll(customerId, storeSales, clock.now())).toEqual({
      paid: [latestInvoice?.id],
      shared: [],
      isSettled: true,
    })
  })

  it.each([
    [
      'cancelSubscription',
      (gateway: StripeStore['gateway'], { id }: Subscription) => gateway.cancelSubscription(id),
    ],
    [
      'cancelAll',
      (gateway: StripeStore['gateway'], { customerId }: Subscription) =>
        gateway.cancelAll(customerId, storeSales, aMinuteLater()),
    ],
  ])('%s voids the open invoice', async (_name, cancel) => {
    const other = await startStripeStore()
    try {
      const { gateway, stripe, monthly } = other
      const customerId = await other.join()
      await other.subscribe(customerId, monthly)
      const subscription = await failRenewal(other, customerId)
      await cancel(gateway, subscription)
      const { data: invoices } = await stripe.invoices.list({ customer: customerId })
      expect(invoices.map(({ status }) => status)).toEqual(['void', 'paid'])
      expect((await newest(gateway, customerId)).status).toBe('canceled')
    } finally {
      await other.stop()
    }
  })

  it('cancelAll does nothing for a deleted customer and rejects an unknown one', async () => {
    const { gateway } = store
    const customerId = await store.join()
    await store.stripe.customers.del(customerId)
    expect((await gateway.cancelAll(customerId, storeSales, aMinuteLater())).paid).toEqual([])
    await expect(gateway.cancelAll('cus_neverwas', storeSales, aMinuteLater())).rejects.toThrow(
      PaymentsRefusedError,
    )
  })
})
