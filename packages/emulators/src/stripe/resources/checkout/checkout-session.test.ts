import type Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CheckoutSite, openCheckout } from '../../testing/open-checkout.ts'
import { refusal } from '../../testing/start-emulator.ts'

let site: CheckoutSite

beforeEach(async () => {
  site = await openCheckout()
})
afterEach(() => site.stop())

type Params = Stripe.Checkout.SessionCreateParams

describe('POST /v1/checkout/sessions', () => {
  test('creates an open session with amounts and a page', async () => {
    const session = await site.createSession({ client_reference_id: 'member-1', metadata: { app: 'news' } })
    expect(session).toMatchObject({
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      mode: 'subscription',
      ui_mode: 'hosted_page',
      amount_subtotal: 900,
      amount_total: 900,
      currency: 'usd',
      customer: site.catalog.customer.id,
      client_reference_id: 'member-1',
      metadata: { app: 'news' },
      subscription: null,
    })
    expect(session.url).toContain(`${site.url}/stripe/checkout/${session.id}`)
    expect(session.expires_at).toBe(session.created + 86_400)
  })

  test('a coupon lowers the amount', async () => {
    const coupon = await site.stripe.coupons.create({ percent_off: 25, duration: 'once' })
    const session = await site.createSession({ discounts: [{ coupon: coupon.id }] })
    expect(session).toMatchObject({
      amount_subtotal: 900,
      amount_total: 675,
      total_details: { amount_discount: 225 },
      discounts: [{ coupon: coupon.id, promotion_code: null }],
    })
  })

  test.each<[string, Params, { code?: string; param: string }]>([
    ['an unknown customer', { customer: 'cus_none' }, { code: 'resource_missing', param: 'customer' }],
    [
      'an unknown price',
      { line_items: [{ price: 'price_none', quantity: 1 }] },
      { code: 'resource_missing', param: 'line_items[0][price]' },
    ],
    ['an invalid success address', { success_url: 'welcome' }, { code: 'url_invalid', param: 'success_url' }],
    ['an expiry too soon', { expires_at: 1_795_198_000 }, { param: 'expires_at' }],
    [
      'an unknown coupon',
      { discounts: [{ coupon: 'none' }] },
      { code: 'resource_missing', param: 'discounts[0][coupon]' },
    ],
    [
      'codes on the page beside a discount',
      { allow_promotion_codes: true, discounts: [{ coupon: 'x' }] },
      { param: 'allow_promotion_codes' },
    ],
  ])('%s is rejected', async (_what, params, expected) => {
    expect(await refusal(site.createSession(params))).toMatchObject({
      type: 'StripeInvalidRequestError',
      ...expected,
    })
  })

  test('rejects a removed parameter by its name', async () => {
    const reply = await fetch(`${site.url}/v1/checkout/sessions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_tidings_local' },
      body: new URLSearchParams({ mode: 'subscription', 'payment_method_types[0]': 'card' }),
    })
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({
      error: { type: 'invalid_request_error', code: 'parameter_unknown', param: 'payment_method_types' },
    })
  })
})

describe('POST /v1/checkout/sessions/:id/expire', () => {
  test('expires only an open session', async () => {
    const { id } = await site.openSession()
    expect(await site.stripe.checkout.sessions.expire(id)).toMatchObject({ status: 'expired' })
    expect(await refusal(site.stripe.checkout.sessions.expire(id))).toMatchObject({ statusCode: 400 })
  })
})

describe('GET /v1/checkout/sessions', () => {
  test('lists by customer, status and subscription', async () => {
    const [first, second] = [await site.openSession(), await site.openSession()]
    await site.admin.completeCheckout(first.page)
    const { subscription } = await site.stripe.checkout.sessions.retrieve(first.id)
    const ids = async (params: Stripe.Checkout.SessionListParams) =>
      (await site.stripe.checkout.sessions.list(params)).data.map(({ id }) => id)
    expect(await ids({ customer: site.catalog.customer.id })).toEqual([second.id, first.id])
    expect(await ids({ status: 'open' })).toEqual([second.id])
    expect(await ids({ subscription: String(subscription) })).toEqual([first.id])
    expect(await ids({ customer: 'cus_other' })).toEqual([])
  })
})
