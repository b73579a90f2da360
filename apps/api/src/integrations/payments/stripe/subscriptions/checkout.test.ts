import { describe, expect } from 'vitest'
import {
  CouponNotValidError,
  CustomerDeletedError,
  PaymentsRefusedError,
} from '#integrations/payments/gateway-errors.ts'
import { newest, orderOf, type StripeStore, storeApp, storeTest } from '#test/payments/stripe-store.ts'

const it = storeTest()

const visitOf = ({ portalId: configurationId }: StripeStore, customerId: string) => {
  return { customerId, configurationId, returnUrl: 'https://tidings.example/account' }
}

const callsOfCustomers: [name: string, call: (store: StripeStore, customer: string) => Promise<unknown>][] = [
  ['updateEmail', ({ gateway }, customer) => gateway.updateEmail(customer, 'newer@example.com')],
  ['startCheckout', ({ gateway, monthly }, customer) => gateway.startCheckout(orderOf(customer, monthly))],
  ['openPortal', (store, customer) => store.gateway.openPortal(visitOf(store, customer))],
]

describe('a Stripe customer', () => {
  it('has the email address and the member in its metadata', async ({ store }) => {
    const { gateway, stripe } = store
    const id = await gateway.createCustomer({
      memberId: 'mem_ada',
      appId: storeApp.id,
      email: 'ada@example.com',
    })
    const customer = await stripe.customers.retrieve(id)
    expect(customer).toMatchObject({
      email: 'ada@example.com',
      metadata: { member: 'mem_ada', app: storeApp.id },
    })
  })

  it('is created once for concurrent requests', async ({ store }) => {
    const member = { memberId: 'mem_two', appId: storeApp.id, email: 'two@example.com' }
    const ids = await Promise.all([1, 2, 3].map(() => store.gateway.createCustomer(member)))
    expect(new Set(ids).size).toBe(1)
  })

  it('gets the new email address', async ({ store }) => {
    const { gateway, stripe } = store
    const id = await store.join()
    await gateway.updateEmail(id, 'new@example.com')
    expect(await stripe.customers.retrieve(id)).toMatchObject({ email: 'new@example.com' })
  })

  it.for(callsOfCustomers)('is rejected by %s once it is deleted', async ([_name, call], { store }) => {
    const customerId = await store.join()
    await store.stripe.customers.del(customerId)
    await expect(call(store, customerId)).rejects.toThrow(CustomerDeletedError)
  })
})

describe('startCheckout', () => {
  it('creates a session for one subscription with promotion codes', async ({ store }) => {
    const { gateway, stripe, controls, monthly } = store
    const customerId = await store.join()
    const { url } = await gateway.startCheckout(orderOf(customerId, monthly))
    const { data: sessions } = await stripe.checkout.sessions.list({ customer: customerId })
    expect(sessions[0]).toMatchObject({
      mode: 'subscription',
      url,
      client_reference_id: 'mem_1',
      metadata: { member: 'mem_1', app: storeApp.id },
      success_url: 'https://tidings.example/paid',
      cancel_url: 'https://tidings.example/plans',
      allow_promotion_codes: true,
    })
    await controls.completeCheckout(url)
    const { id, priceId } = await newest(gateway, customerId)
    expect(priceId).toBe(monthly.id)
    expect((await stripe.subscriptions.retrieve(id)).metadata).toEqual({ member: 'mem_1', app: storeApp.id })
  })

  it("applies the customer's own promotion code, and rejects another customer's", async ({ store }) => {
    const { gateway, stripe, controls, monthly } = store
    const [ada, ben, cleo] = [await store.join(), await store.join(), await store.join()]
    for (const [customer, amountOff] of [
      [ada, 100],
      [ben, 200],
    ] as const) {
      const coupon = await stripe.coupons.create({ amount_off: amountOff, currency: 'usd', duration: 'once' })
      const promotion = { type: 'coupon' as const, coupon: coupon.id }
      await stripe.promotionCodes.create({ promotion, code: 'MINE', customer })
    }
    const order = (customerId: string) => ({ ...orderOf(customerId, monthly), coupon: 'MINE' })
    for (const [customer, paid] of [
      [ada, 399],
      [ben, 299],
    ] as const) {
      await controls.completeCheckout((await gateway.startCheckout(order(customer))).url)
      expect((await newest(gateway, customer)).latestInvoice?.amount).toBe(paid)
    }
    await expect(gateway.startCheckout(order(cleo))).rejects.toThrow(CouponNotValidError)
  })

  it('rejects an unknown customer', async ({ store }) => {
    const failure = store.gateway.startCheckout(orderOf('cus_neverwas', store.monthly))
    await expect(failure).rejects.toThrow(PaymentsRefusedError)
  })
})

describe('openPortal', () => {
  it('opens the page that manages the subscription', async ({ store }) => {
    const { url } = await store.gateway.openPortal(visitOf(store, await store.join()))
    const page = await fetch(url)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('https://tidings.example/account')
  })
})
