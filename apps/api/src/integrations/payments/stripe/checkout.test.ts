import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newest, orderOf, type StripeStore, startStripeStore, storeApp } from '#test/payments/stripe-store.ts'
import { CouponNotValidError, CustomerDeletedError, PaymentsRefusedError } from '../gateway-errors.ts'

let store: StripeStore
beforeAll(async () => {
  store = await startStripeStore()
})
afterAll(() => store.stop())

describe('a Stripe customer', () => {
  it('has the email address and the member in its metadata', async () => {
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

  it('is created once for concurrent requests', async () => {
    const member = { memberId: 'mem_two', appId: storeApp.id, email: 'two@example.com' }
    const ids = await Promise.all([1, 2, 3].map(() => store.gateway.createCustomer(member)))
    expect(new Set(ids).size).toBe(1)
  })

  it('gets the new email address', async () => {
    const { gateway, stripe } = store
    const id = await store.join()
    await gateway.updateEmail(id, 'new@example.com')
    expect(await stripe.customers.retrieve(id)).toMatchObject({ email: 'new@example.com' })
    await stripe.customers.del(id)
    await expect(gateway.updateEmail(id, 'newer@example.com')).rejects.toThrow(CustomerDeletedError)
  })
})

describe('startCheckout', () => {
  it('creates a session for one subscription with promotion codes', async () => {
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

  it("applies the customer's own promotion code, and rejects another customer's", async () => {
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

  it('rejects a deleted customer', async () => {
    const { gateway, monthly } = store
    const customerId = await store.join()
    await store.stripe.customers.del(customerId)
    await expect(gateway.startCheckout(orderOf(customerId, monthly))).rejects.toThrow(CustomerDeletedError)
    await expect(gateway.startCheckout(orderOf('cus_neverwas', monthly))).rejects.toThrow(
      PaymentsRefusedError,
    )
  })

  it("rejects an unknown price without Stripe's message", async () => {
    const { gateway, monthly } = store
    const customerId = await store.join()
    const failure = gateway.startCheckout({ ...orderOf(customerId, monthly), priceId: 'price_neverwas' })
    await expect(failure).rejects.toThrow(PaymentsRefusedError)
    await expect(failure).rejects.toThrow(/^StripeInvalidRequestError, resource_missing, line_items/)
  })
})

describe('openPortal', () => {
  it('opens the page that manages the subscription', async () => {
    const { gateway, portalId } = store
    const customerId = await store.join()
    const { url } = await gateway.openPortal({
      customerId,
      configurationId: portalId,
      returnUrl: 'https://tidings.example/account',
    })
    const page = await fetch(url)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('https://tidings.example/account')
  })

  it('rejects a deleted customer', async () => {
    const { gateway, portalId } = store
    const customerId = await store.join()
    await store.stripe.customers.del(customerId)
    const visit = gateway.openPortal({
      customerId,
      configurationId: portalId,
      returnUrl: 'https://tidings.example/account',
    })
    await expect(visit).rejects.toThrow(CustomerDeletedError)
  })
})
