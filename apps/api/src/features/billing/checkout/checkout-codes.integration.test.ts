import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import type { TestMember } from '#test/membership.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '#test/payment-site.ts'

let at: PaymentSite
/** A member whose paid plan was canceled. */
let lapsed: TestMember
let customer: string
beforeAll(async () => {
  at = await startPaymentSite()
  lapsed = await at.members.signUp()
  customer = (await at.subscribe(lapsed, testPrices.monthly)).stripeCustomerId ?? ''
  const { data } = await at.stripe.subscriptions.list({ customer })
  await at.stripe.subscriptions.cancel(data[0]?.id ?? '')
})
afterAll(() => at.close())

async function countLapsedSessions(): Promise<number> {
  return (await at.stripe.checkout.sessions.list({ customer, limit: 100 })).data.length
}

describe('POST /member/plans/create-checkout-session', () => {
  /** Creates a public coupon of 20 percent, and a promotion code for it. */
  async function createDiscount(
    coupon: Stripe.CouponCreateParams = {},
    code: Omit<Stripe.PromotionCodeCreateParams, 'promotion'> = {},
  ) {
    const { id: couponId } = await at.stripe.coupons.create({
      ...{ percent_off: 20, duration: 'once', metadata: { public: 'true' } },
      ...coupon,
    })
    const promotion = { type: 'coupon' as const, coupon: couponId }
    return { couponId, code: (await at.stripe.promotionCodes.create({ promotion, ...code })).code }
  }

  it.each([
    ["a coupon's id", ({ couponId }: Awaited<ReturnType<typeof createDiscount>>) => couponId],
    ['a promotion code', ({ code }: Awaited<ReturnType<typeof createDiscount>>) => code],
    [
      'a promotion code in other case',
      ({ code }: Awaited<ReturnType<typeof createDiscount>>) => code.toLowerCase(),
    ],
  ])('applies the discount of %s to the first payment', async (_what, of) => {
    const lea = await at.members.signUp()
    const page = await at.openCheckout(lea, testPrices.monthly, { couponId: of(await createDiscount()) })
    await at.controls.completeCheckout(page)
    await at.settle()
    const member = await at.memberOf(lea)
    const { data: charges } = await at.stripe.charges.list({ customer: member.stripeCustomerId ?? '' })
    expect(charges.map(({ amount }) => amount)).toEqual([399])
    // The coupon applies once, so the renewal costs the full price.
    expect(member.planConnections[0]?.payment?.amount).toBe(4.99)
  })

  const hidden = { metadata: {} }

  it.each([
    ['an unknown code', async () => 'NEVER-WAS'],
    ['a code with invalid characters', async () => '%00 💶 ../../x'],
    ['a path', async () => '..'],
    ['an inactive code', async () => (await createDiscount({}, { active: false })).code],
    ['an expired code', () => expired('code')],
    ['an expired coupon', () => expired('couponId')],
    ['a coupon without metadata', async () => (await createDiscount(hidden)).couponId],
    [
      'a coupon that is not public',
      async () => (await createDiscount({ metadata: { public: 'no' } })).couponId,
    ],
    ['a first-payment code after a payment', async () => (await createDiscount(hidden, firstPayment)).code],
    [
      'a code for a larger amount',
      async () => (await createDiscount(hidden, { restrictions: tenDollars })).code,
    ],
    ['a fully redeemed code', () => used('code')],
    ['the coupon of a fully redeemed code', () => used('couponId')],
    ["another member's code", () => bound('code')],
    ["the coupon of another member's code", () => bound('couponId')],
  ])('rejects %s and creates no session', async (_what, of) => {
    const before = await countLapsedSessions()
    const couponId = await of()
    const reply = await at.members.call('POST', '/member/plans/create-checkout-session', {
      headers: lapsed.headers,
      body: { priceId: testPrices.monthly, couponId },
    })
    expect(refusalOf(reply)).toEqual({
      status: 400,
      code: 'coupon-not-valid',
      message: "This code isn't valid for this plan.",
    })
    expect(await countLapsedSessions()).toBe(before)
  })

  it('accepts a checkout without a code after a rejected code', async () => {
    expect(await at.openCheckout(lapsed, testPrices.monthly)).toMatch(/^http/)
  })

  const firstPayment = { restrictions: { first_time_transaction: true } }
  const tenDollars = { minimum_amount: 1_000, minimum_amount_currency: 'usd' }

  /** Creates a code or coupon that has just expired. */
  async function expired(which: 'code' | 'couponId') {
    const end = Math.floor(at.site.clock.now().getTime() / 1000) + 60
    const made = await (which === 'code'
      ? createDiscount({}, { expires_at: end })
      : createDiscount({ redeem_by: end }))
    at.site.clock.pass(61_000)
    return made[which]
  }

  /** Creates a code for one payment, redeems it, and returns the code or its coupon. */
  async function used(which: 'code' | 'couponId') {
    const made = await createDiscount(hidden, { max_redemptions: 1 })
    const page = await at.openCheckout(await at.members.signUp(), testPrices.yearly, { couponId: made.code })
    await at.controls.completeCheckout(page)
    await at.settle()
    return made[which]
  }

  /** Creates a code for another customer and returns the code or its coupon. */
  async function bound(which: 'code' | 'couponId') {
    const { id: other } = await at.stripe.customers.create()
    return (await createDiscount(hidden, { customer: other }))[which]
  }
})
