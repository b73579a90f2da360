import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openPage, submitForm } from '../testing/browse.ts'
import { type CheckoutSite, openCheckout } from '../testing/open-checkout.ts'

let site: CheckoutSite

beforeEach(async () => {
  site = await openCheckout()
})
afterEach(() => site.stop())

describe('the checkout page', () => {
  test('shows the product and its price under a policy without scripts', async () => {
    const { page } = await site.openSession()
    const reply = await fetch(page)
    const html = await reply.text()
    expect(html).toContain('Subscribe to Tidings')
    expect(html).toContain('$9.00 every month')
    expect(html).toContain('https://news.example.com/plans')
    expect(reply.headers.get('content-security-policy')).toContain(
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self' https://news.example.com",
    )
  })

  test('paying starts the subscription and redirects to the success address', async () => {
    const { id, page } = await site.openSession({ subscription_data: { metadata: { member: 'm1' } } })
    const paid = await submitForm(page, { card: '4242 4242 4242 4242', answer: 'pay' })
    expect(paid).toMatchObject({ status: 303, location: `https://news.example.com/welcome?session=${id}` })
    const session = await site.stripe.checkout.sessions.retrieve(id, { expand: ['subscription', 'invoice'] })
    expect(session).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      url: null,
      subscription: { status: 'active', customer: site.catalog.customer.id, metadata: { member: 'm1' } },
      invoice: { status: 'paid', amount_paid: 900, billing_reason: 'subscription_create' },
    })
  })

  test('emits events in order', async () => {
    const { page } = await site.openSession()
    const before = await site.eventTypes()
    await submitForm(page, { card: '4242424242424242' })
    const types = (await site.eventTypes()).slice(before.length)
    const told = [
      'payment_method.attached',
      'customer.subscription.created',
      'invoice.created',
      'invoice.finalized',
      'charge.succeeded',
      'payment_intent.succeeded',
      'invoice.paid',
      'checkout.session.completed',
    ]
    expect(types.filter((type) => told.includes(type))).toEqual(told)
    expect(types.at(-1)).toBe('checkout.session.completed')
  })

  test.each([
    ['4000000000000002', 'Your card was declined.'],
    ['4000000000009995', 'Your card has insufficient funds.'],
    ['4000000000000341', 'Your card was declined.'],
    ['5454545454545454', 'Your card number is incorrect.'],
    ['', 'Your card number is incorrect.'],
  ])('the card %s is declined on the page and starts no subscription', async (card, problem) => {
    const { id, page } = await site.openSession()
    const refused = await submitForm(page, { card })
    expect(refused).toMatchObject({ status: 200, problem })
    expect(await site.stripe.checkout.sessions.retrieve(id)).toMatchObject({
      status: 'open',
      subscription: null,
    })
    expect(
      (await site.stripe.subscriptions.list({ customer: site.catalog.customer.id, status: 'all' })).data,
    ).toEqual([])
  })

  test('a card that needs authentication pays after it', async () => {
    const { id, page } = await site.openSession()
    const asked = await submitForm(page, { card: '4000002760003184' })
    expect(asked.html).toContain('Confirm this payment')
    const failed = await submitForm(page, { card: '4000002760003184', answer: 'fail-authentication' })
    expect(failed.problem).toContain('We are unable to authenticate your payment method.')
    const paid = await submitForm(page, { card: '4000002760003184', answer: 'authenticate' })
    expect(paid.status).toBe(303)
    const session = await site.stripe.checkout.sessions.retrieve(id, { expand: ['subscription'] })
    expect(session.subscription).toMatchObject({ status: 'active' })
  })

  test('fills in a test card', async () => {
    const { page } = await site.openSession()
    const filled = await submitForm(page, { fill: '4000000000000002' })
    expect(filled.html).toContain('value="4000 0000 0000 0002"')
  })

  test('rejects a price that was archived meanwhile', async () => {
    const { page } = await site.openSession()
    await site.stripe.prices.update(site.catalog.monthly.id, { active: false })
    const refused = await submitForm(page, { card: '4242424242424242' })
    expect(refused.problem).toContain('inactive')
    expect((await site.stripe.charges.list({ customer: site.catalog.customer.id })).data).toEqual([])
  })

  test('a promotion code lowers the amount and can be removed', async () => {
    const coupon = await site.stripe.coupons.create({
      percent_off: 20,
      duration: 'repeating',
      duration_in_months: 3,
    })
    const promotion = { type: 'coupon', coupon: coupon.id } as const
    const code = await site.stripe.promotionCodes.create({ promotion, code: 'WELCOME20' })
    const { id, page } = await site.openSession({ allow_promotion_codes: true })
    const applied = await submitForm(page, { answer: 'promotion', promotion: ' welcome20 ' })
    expect(applied.rows).toMatchObject({ 'WELCOME20: 20% off for 3 months': '−$1.80', 'Due today': '$7.20' })
    const removed = await submitForm(page, { answer: 'remove-promotion' })
    expect(removed.rows['Due today']).toBe('$9.00')
    await submitForm(page, { answer: 'promotion', promotion: 'WELCOME20' })
    await submitForm(page, { card: '4242424242424242' })
    expect(await site.stripe.checkout.sessions.retrieve(id)).toMatchObject({
      amount_total: 720,
      discounts: [{ coupon: null, promotion_code: code.id }],
    })
    expect(await site.stripe.promotionCodes.retrieve(code.id)).toMatchObject({ times_redeemed: 1 })
  })

  test.each([
    ['that does not exist', 'NOPE'],
    ['of a page without promotion codes', 'WELCOME20'],
  ])('a code %s does not change the amount', async (what, promotion) => {
    const coupon = await site.stripe.coupons.create({ percent_off: 20, duration: 'once' })
    await site.stripe.promotionCodes.create({
      promotion: { type: 'coupon', coupon: coupon.id },
      code: 'WELCOME20',
    })
    const { page } = await site.openSession({ allow_promotion_codes: what === 'that does not exist' })
    const refused = await submitForm(page, { answer: 'promotion', promotion })
    expect(refused.rows['Due today']).toBe('$9.00')
  })

  test('a subscription starts at the time of its customer’s test clock', async () => {
    const clock = await site.stripe.testHelpers.testClocks.create({ frozen_time: 1_830_000_000 })
    const customer = await site.stripe.customers.create({ email: 'ida@example.com', test_clock: clock.id })
    const { id, page } = await site.openSession({ customer: customer.id })
    expect((await openPage(page)).html).toContain('Renews on 28 January 2028')
    await submitForm(page, { card: '4242424242424242' })
    const { subscription } = await site.stripe.checkout.sessions.retrieve(id, { expand: ['subscription'] })
    expect(subscription).toMatchObject({ start_date: 1_830_000_000, test_clock: clock.id })
  })

  test('a customer can pay two sessions', async () => {
    const [first, second] = [await site.openSession(), await site.openSession()]
    await submitForm(first.page, { card: '4242424242424242' })
    await submitForm(second.page, { card: '4242424242424242' })
    const { data } = await site.stripe.subscriptions.list({ customer: site.catalog.customer.id })
    expect(data.map(({ status }) => status)).toEqual(['active', 'active'])
  })

  test('reports a discount that was used up meanwhile and charges nothing', async () => {
    const coupon = await site.stripe.coupons.create({ percent_off: 50, duration: 'once', max_redemptions: 1 })
    const params = { discounts: [{ coupon: coupon.id }] }
    const [first, second] = [await site.openSession(params), await site.openSession(params)]
    await submitForm(first.page, { card: '4242424242424242' })
    const refused = await submitForm(second.page, { card: '4242424242424242' })
    expect(refused.problem).toBe('The discount can no longer be redeemed.')
    expect((await site.stripe.charges.list({ customer: site.catalog.customer.id })).data).toHaveLength(1)
  })

  test('rejects the payment of a deleted customer', async () => {
    const { page } = await site.openSession()
    await site.stripe.customers.del(site.catalog.customer.id)
    const refused = await submitForm(page, { card: '4242424242424242' })
    expect(refused.problem).toBe('The customer of this session was deleted.')
  })

  test('paying twice charges once', async () => {
    const { page } = await site.openSession()
    await submitForm(page, { card: '4242424242424242' })
    const again = await submitForm(page, { card: '4242424242424242' })
    expect(again.html).toContain('Already paid')
    expect((await site.stripe.charges.list({ customer: site.catalog.customer.id })).data).toHaveLength(1)
  })

  test('an expired session says so, charges nothing and emits one event', async () => {
    const { id, page } = await site.openSession()
    await site.admin.advanceTime(86_400)
    const shown = await openPage(page)
    expect(shown).toMatchObject({ status: 410 })
    expect(shown.html).toContain('This page has expired')
    await submitForm(page, { card: '4242424242424242' })
    expect(await site.stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'expired', url: null })
    expect((await site.eventTypes()).filter((type) => type === 'checkout.session.expired')).toHaveLength(1)
  })

  test('an unknown session has no page', async () => {
    const shown = await openPage(`${site.url}/stripe/checkout/cs_test_none`)
    expect(shown.status).toBe(404)
    expect(shown.html).toContain('Page not found')
  })

  test('escapes what was typed', async () => {
    const { page } = await site.openSession({ allow_promotion_codes: true })
    const shown = await submitForm(page, { answer: 'promotion', promotion: '"><script>alert(1)</script>' })
    expect(shown.html).not.toContain('<script>')
  })
})

describe('completing a checkout without a browser', () => {
  test('pays with the default card and returns JSON', async () => {
    const { id, page } = await site.openSession()
    const outcome = await site.admin.completeCheckout(page)
    expect(outcome).toMatchObject({
      status: 'complete',
      url: `https://news.example.com/welcome?session=${id}`,
    })
  })

  test('a declined card leaves the session open', async () => {
    const { page } = await site.openSession()
    const outcome = await site.admin.completeCheckout(page, { card: '4000000000009995' })
    expect(outcome).toMatchObject({
      status: 'open',
      error: { code: 'card_declined', decline_code: 'insufficient_funds' },
    })
  })

  test('rejects a completed session', async () => {
    const { page } = await site.openSession()
    await site.admin.completeCheckout(page)
    expect(await site.admin.completeCheckout(page)).toMatchObject({
      status: 'complete',
      error: { code: 'session_not_open' },
    })
  })
})
