import { describe, expect } from 'vitest'
import { PaymentsRefusedError } from '#integrations/payments/gateway-errors.ts'
import {
  newest,
  orderOf,
  type StripeStore,
  storeSales,
  storeTest,
  subscribed,
  useCard,
} from '#test/payments/stripe-store.ts'

const it = storeTest()

const aMinuteAfter = ({ clock }: StripeStore) => new Date(clock.now().getTime() + 60_000)

describe('cancelSubscription and cancelAll', () => {
  it('cancelSubscription is idempotent', async ({ store }) => {
    const { gateway, monthly } = store
    const customerId = await store.join()
    const { id } = await store.subscribe(customerId, monthly)
    await gateway.cancelSubscription(id)
    await gateway.cancelSubscription(id)
    expect((await newest(gateway, customerId)).status).toBe('canceled')
  })

  it('cancelAll expires open checkouts, cancels subscriptions and is idempotent', async ({ store }) => {
    const { gateway, stripe, controls, monthly } = store
    const customerId = await store.join()
    const paid = await store.subscribe(customerId, monthly)
    const { url } = await gateway.startCheckout({ ...orderOf(customerId, monthly), known: [paid] })
    await gateway.cancelAll(customerId, storeSales, aMinuteAfter(store))
    await gateway.cancelAll(customerId, storeSales, aMinuteAfter(store))
    expect((await controls.completeCheckout(url)).status).toBe('expired')
    const open = await stripe.checkout.sessions.list({ customer: customerId, status: 'open' })
    expect(open.data).toEqual([])
    expect((await gateway.listSubscriptions(customerId, storeSales)).map(({ status }) => status)).toEqual([
      'canceled',
    ])
  })

  it('cancelAll returns only the invoices paid since the given time', async ({ store }) => {
    const { gateway, monthly, clock } = store
    const customerId = await store.join()
    const { latestInvoice } = await store.subscribe(customerId, monthly)
    expect((await gateway.cancelAll(customerId, storeSales, aMinuteAfter(store))).paid).toEqual([])
    expect(await gateway.cancelAll(customerId, storeSales, clock.now())).toEqual({
      paid: [latestInvoice?.id],
      shared: [],
      isSettled: true,
    })
  })

  it.for(['cancelSubscription', 'cancelAll'] as const)(
    '%s voids the open invoice',
    async (how, { ownStore }) => {
      const { gateway, stripe } = ownStore
      const { customerId, subscription } = await subscribed(ownStore)
      await useCard(ownStore, subscription, 'pm_card_chargeCustomerFail')
      await ownStore.pass(31)
      if (how === 'cancelAll') await gateway.cancelAll(customerId, storeSales, aMinuteAfter(ownStore))
      else await gateway.cancelSubscription(subscription.id)
      const { data: invoices } = await stripe.invoices.list({ customer: customerId })
      expect(invoices.map(({ status }) => status)).toEqual(['void', 'paid'])
      expect((await newest(gateway, customerId)).status).toBe('canceled')
    },
  )

  it('cancelAll does nothing for a deleted customer and rejects an unknown one', async ({ store }) => {
    const { gateway } = store
    const customerId = await store.join()
    await store.stripe.customers.del(customerId)
    expect((await gateway.cancelAll(customerId, storeSales, aMinuteAfter(store))).paid).toEqual([])
    await expect(gateway.cancelAll('cus_neverwas', storeSales, aMinuteAfter(store))).rejects.toThrow(
      PaymentsRefusedError,
    )
  })
})
