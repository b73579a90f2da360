import { describe, expect } from 'vitest'
import { orderOf, type StripeStore, storeTest, useCard } from '#test/payments/stripe-store.ts'

const it = storeTest()

/** Uses that keep a customer, and how each ends. */
const uses: Record<string, (store: StripeStore, customer: string) => Promise<() => Promise<unknown>>> = {
  'a running subscription': async (store, customer) => {
    const { id } = await store.subscribe(customer, store.monthly)
    return () => store.stripe.subscriptions.cancel(id)
  },
  'an open checkout': async (store, customer) => {
    await store.gateway.startCheckout(orderOf(customer, store.monthly))
    const [session] = (await store.stripe.checkout.sessions.list({ customer })).data
    return () => store.stripe.checkout.sessions.expire(session?.id ?? '')
  },
  'an open invoice': async (store, customer) => {
    const subscription = await store.subscribe(customer, store.monthly)
    await useCard(store, subscription, 'pm_card_chargeCustomerFail')
    await store.pass(32)
    await store.stripe.subscriptions.cancel(subscription.id)
    const [invoice] = (await store.stripe.invoices.list({ customer, status: 'open' })).data
    return () => store.stripe.invoices.voidInvoice(invoice?.id ?? '')
  },
  'a balance': async (store, customer) => {
    await store.stripe.customers.update(customer, { balance: -500 })
    return () => store.stripe.customers.update(customer, { balance: 0 })
  },
}

describe.each(['delete', 'keep'] as const)('retireCustomer (%s)', (mode) => {
  const done = mode === 'delete' ? 'deleted' : 'redacted'

  it.for(Object.entries(uses))('changes nothing while there is %s', async ([_name, begin], { ownStore }) => {
    const { gateway, stripe } = ownStore
    const customer = await ownStore.join()
    const before = await stripe.customers.retrieve(customer)
    const end = await begin(ownStore, customer)
    expect(await gateway.retireCustomer(customer, mode)).toBe('kept')
    expect(await stripe.customers.retrieve(customer)).toMatchObject({
      email: before.deleted ? null : before.email,
    })
    await end()
    expect(await gateway.retireCustomer(customer, mode)).toBe(done)
  })

  it('is idempotent, also after a lost response', async ({ store }) => {
    const { gateway, stripe, controls } = store
    const customer = await store.join()
    await stripe.paymentMethods.attach('pm_card_visa', { customer })
    const match = mode === 'delete' ? `DELETE /v1/customers/${customer}` : `POST /v1/customers/${customer}`
    await controls.addFault({ kind: 'reset-after', match, times: 3 })
    await expect(gateway.retireCustomer(customer, mode)).rejects.toThrow()
    expect(await gateway.retireCustomer(customer, mode)).toBe(done)
    expect(await gateway.retireCustomer(customer, mode)).toBe(done)
  })
})

it('retireCustomer removes name, addresses, phone, cards and metadata', async ({ store }) => {
  const { gateway, stripe } = store
  const customer = await store.join()
  await stripe.paymentMethods.attach('pm_card_visa', { customer })
  const address = { city: 'Oslo' }
  const personal = { name: 'Ann', phone: '+15550100', description: 'called twice', address }
  await stripe.customers.update(customer, { ...personal, shipping: { name: 'Ann', address } })
  await gateway.retireCustomer(customer, 'keep')
  expect(await stripe.customers.retrieve(customer)).toMatchObject({
    name: null,
    email: null,
    phone: null,
    description: null,
    address: null,
    shipping: null,
    metadata: {},
  })
  expect((await stripe.paymentMethods.list({ customer })).data).toEqual([])
})
