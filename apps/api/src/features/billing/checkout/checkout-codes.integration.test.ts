import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import type { TestMember } from '#test/membership.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '#test/payment-site.ts'

let at: PaymentSite
/** A member who has paid before and holds no plan. */
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

async function sessionsOfLapsed(): Promise<number> {
  return (await at.stripe.checkout.sessions.list({ customer, limit: 100 })).data.length
}

describe('a code at the checkout', () => {
  /** A public coupon of a fifth of the price, and a promotion code for it. */
  async function fifthOff(
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
    ["a coupon's id", ({ couponId }: Awaited<ReturnType<typeof fifthOff>>) => couponId],
    ['a code that people type', ({ code }: Awaited<ReturnType<typeof fifthOff>>) => code],
    ['a code in other capitals', ({ code }: Awaited<ReturnType<typeof fifthOff>>) => code.toLowerCase()],
  ])('that is %s takes its part off the first payment', async (_what, of) => {
    const lea = await at.members.signUp()
    const page = await at.openCheckout(lea, testPrices.monthly, { couponId: of(await fifthOff()) })
    await at.controls.completeCheckout(page)
    await at.settle()
    const member = await at.memberOf(lea)
    const { data: charges } = await at.stripe.charges.list({ customer: member.stripeCustomerId ?? '' })
    expect(charges.map(({ amount }) => amount)).toEqual([399])
    // What the next period costs: the coupon was for once.
    expect(member.planConnections[0]?.payment?.amount).toBe(4.99)
  })

  const hidden = { metadata: {} }

  it.each([
    ['unknown', async () => 'NEVER-WAS'],
    ['with odd letters', async () => '%00 💶 ../../x'],
    ['a path', async () => '..'],
    ['switched off', async () => (await fifthOff({}, { active: false })).code],
    ['over its last day', () => expired('code')],
    ['a coupon over its last day', () => expired('couponId')],
    ['a coupon without a word about who may use it', async () => (await fifthOff(hidden)).couponId],
    ['a coupon that is not public', async () => (await fifthOff({ metadata: { public: 'no' } })).couponId],
    ['for a first payment, after one', async () => (await fifthOff(hidden, firstPayment)).code],
    ['for a larger amount', async () => (await fifthOff(hidden, { restrictions: tenDollars })).code],
    ['used as often as it may be', () => used('code')],
    ['the coupon of a code used as often as it may be', () => used('couponId')],
    ["another member's", () => bound('code')],
    ["the coupon of another member's code", () => bound('couponId')],
  ])('that is %s is refused, and nothing is opened', async (_what, of) => {
    const before = await sessionsOfLapsed()
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
    expect(await sessionsOfLapsed()).toBe(before)
  })

  it('that was refused leaves the checkout without one open to the member', async () => {
    expect(await at.openCheckout(lapsed, testPrices.monthly)).toMatch(/^http/)
  })

  const firstPayment = { restrictions: { first_time_transaction: true } }
  const tenDollars = { minimum_amount: 1_000, minimum_amount_currency: 'usd' }

  /** A code, or its coupon, just after its end. */
  async function expired(which: 'code' | 'couponId') {
    const end = Math.floor(at.site.clock.now().getTime() / 1000) + 60
    const made = await (which === 'code' ? fifthOff({}, { expires_at: end }) : fifthOff({ redeem_by: end }))
    at.site.clock.pass(61_000)
    return made[which]
  }

  /** A code for one payment after that payment, or its coupon. */
  async function used(which: 'code' | 'couponId') {
    const made = await fifthOff(hidden, { max_redemptions: 1 })
    const page = await at.openCheckout(await at.members.signUp(), testPrices.yearly, { couponId: made.code })
    await at.controls.completeCheckout(page)
    await at.settle()
    return made[which]
  }

  /** A code that one customer was given, or its coupon. */
  async function bound(which: 'code' | 'couponId') {
    const { id: other } = await at.stripe.customers.create()
    return (await fifthOff(hidden, { customer: other }))[which]
  }
})
