import { describe, expect } from 'vitest'
import { PaymentsRefusedError, PaymentsUnavailableError } from '#integrations/payments/gateway-errors.ts'
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
const withoutRetries = it.extend('options', { scope: 'file' }, { retries: 0 })

const aMinuteAfter = ({ clock }: StripeStore) => new Date(clock.now().getTime() + 60_000)

/** Creates a subscriber with an open checkout. */
async function subscribedWithCheckout(store: StripeStore) {
  const { customerId, subscription } = await subscribed(store)
  const order = { ...orderOf(customerId, store.monthly), known: [subscription] }
  const { url: page } = await store.gateway.startCheckout(order)
  return { customerId, page }
}

/** Expects that a customer has one subscription, which is canceled, and no open checkout. */
async function expectAllCanceled(store: StripeStore, customerId: string, page: string) {
  expect((await store.controls.completeCheckout(page)).status).toBe('expired')
  const open = await store.stripe.checkout.sessions.list({ customer: customerId, status: 'open' })
  expect(open.data).toEqual([])
  const subscriptions = await store.gateway.listSubscriptions(customerId, storeSales)
  expect(subscriptions.map(({ status }) => status)).toEqual(['canceled'])
}

describe('cancelSubscription', () => {
  it('is idempotent', async ({ store }) => {
    const { customerId, subscription } = await subscribed(store)
    await store.gateway.cancelSubscription(subscription.id)
    await store.gateway.cancelSubscription(subscription.id)
    expect((await newest(store.gateway, customerId)).status).toBe('canceled')
  })
})

describe('cancelAll', () => {
  it('expires open checkouts, cancels subscriptions and is idempotent', async ({ store }) => {
    const { customerId, page } = await subscribedWithCheckout(store)
    await store.gateway.cancelAll(customerId, storeSales, aMinuteAfter(store))
    await store.gateway.cancelAll(customerId, storeSales, aMinuteAfter(store))
    await expectAllCanceled(store, customerId, page)
  })

  it('cancels once under concurrent calls', async ({ store }) => {
    const { customerId, page } = await subscribedWithCheckout(store)
    const cancel = () => store.gateway.cancelAll(customerId, storeSales, aMinuteAfter(store))
    await Promise.all([cancel(), cancel(), cancel()])
    await expectAllCanceled(store, customerId, page)
  })

  withoutRetries.for([
    ['listing the checkouts', 'GET /v1/checkout/sessions'],
    ['expiring a checkout', 'POST /v1/checkout/sessions'],
    ['listing the subscriptions', 'GET /v1/subscriptions'],
    ['canceling a subscription', 'DELETE /v1/subscriptions'],
  ])('is completed by a second call after a failure at %s', async ([_step, match = ''], { store }) => {
    const { customerId, page } = await subscribedWithCheckout(store)
    const cancel = () => store.gateway.cancelAll(customerId, storeSales, store.clock.now())
    await store.controls.addFault({ kind: 'server-error', match })
    await expect(cancel()).rejects.toThrow(PaymentsUnavailableError)
    await cancel()
    await expectAllCanceled(store, customerId, page)
  })

  it('returns only the invoices paid since the given time', async ({ store }) => {
    const { gateway, clock } = store
    const { customerId, subscription } = await subscribed(store)
    expect((await gateway.cancelAll(customerId, storeSales, aMinuteAfter(store))).paid).toEqual([])
    expect(await gateway.cancelAll(customerId, storeSales, clock.now())).toEqual({
      paid: [subscription.latestInvoice?.id],
      shared: [],
      isSettled: true,
    })
  })

  it('does nothing for a deleted customer and rejects an unknown one', async ({ store }) => {
    const { gateway } = store
    const customerId = await store.join()
    await store.stripe.customers.del(customerId)
    expect((await gateway.cancelAll(customerId, storeSales, aMinuteAfter(store))).paid).toEqual([])
    await expect(gateway.cancelAll('cus_neverwas', storeSales, aMinuteAfter(store))).rejects.toThrow(
      PaymentsRefusedError,
    )
  })
})

describe('the open invoice', () => {
  it.for(['cancelSubscription', 'cancelAll'] as const)('is voided by %s', async (how, { ownStore }) => {
    const { gateway, stripe } = ownStore
    const { customerId, subscription } = await subscribed(ownStore)
    await useCard(ownStore, subscription, 'pm_card_chargeCustomerFail')
    await ownStore.pass(31)
    if (how === 'cancelAll') await gateway.cancelAll(customerId, storeSales, aMinuteAfter(ownStore))
    else await gateway.cancelSubscription(subscription.id)
    const { data: invoices } = await stripe.invoices.list({ customer: customerId })
    expect(invoices.map(({ status }) => status)).toEqual(['void', 'paid'])
    expect((await newest(gateway, customerId)).status).toBe('canceled')
  })
})
