import type Stripe from 'stripe'
import { describe, expect } from 'vitest'
import { refusalOf } from '#test/desk.ts'
import { paymentTest } from '#test/fixtures.ts'
import { type PaymentSite, testPrices } from '#test/sites/payment-site.ts'

type Discount = { couponId: string; code: string }

const hidden = { metadata: {} }
const firstPayment = { restrictions: { first_time_transaction: true } }
const tenDollars = { minimum_amount: 1_000, minimum_amount_currency: 'usd' }

/** Creates discounts at Stripe. */
function createDiscounts({ site, members, stripe, controls, openCheckout, settle }: PaymentSite) {
  /** Creates a public coupon of 20 percent, and a promotion code for it. */
  async function create(
    coupon: Stripe.CouponCreateParams = {},
    code: Omit<Stripe.PromotionCodeCreateParams, 'promotion'> = {},
  ): Promise<Discount> {
    const { id: couponId } = await stripe.coupons.create({
      percent_off: 20,
      duration: 'once',
      metadata: { public: 'true' },
      ...coupon,
    })
    const promotion = { type: 'coupon' as const, coupon: couponId }
    return { couponId, code: (await stripe.promotionCodes.create({ promotion, ...code })).code }
  }

  return {
    create,
    /** Creates a code or coupon that has just expired. */
    async expired(which: keyof Discount): Promise<string> {
      const end = Math.floor(site.clock.now().getTime() / 1000) + 60
      const discount = await (which === 'code' ? create({}, { expires_at: end }) : create({ redeem_by: end }))
      site.clock.pass(61_000)
      return discount[which]
    },
    /** Creates a code for one payment, redeems it, and returns the code or its coupon. */
    async redeemed(which: keyof Discount): Promise<string> {
      const discount = await create(hidden, { max_redemptions: 1 })
      const body = { couponId: discount.code }
      await controls.completeCheckout(await openCheckout(await members.signUp(), testPrices.yearly, body))
      await settle()
      return discount[which]
    },
    /** Creates a code for another customer and returns the code or its coupon. */
    async ofOtherCustomer(which: keyof Discount): Promise<string> {
      const { id: customer } = await stripe.customers.create()
      return (await create(hidden, { customer }))[which]
    },
  }
}

type Discounts = ReturnType<typeof createDiscounts>

const rejectedCodes: [what: string, of: (discounts: Discounts) => Promise<string>][] = [
  ['an unknown code', async () => 'NEVER-WAS'],
  ['a code with invalid characters', async () => '%00 💶 ../../x'],
  ['a path', async () => '..'],
  ['an inactive code', async ({ create }) => (await create({}, { active: false })).code],
  ['an expired code', ({ expired }) => expired('code')],
  ['an expired coupon', ({ expired }) => expired('couponId')],
  ['a coupon without metadata', async ({ create }) => (await create(hidden)).couponId],
  [
    'a coupon that is not public',
    async ({ create }) => (await create({ metadata: { public: 'no' } })).couponId,
  ],
  ['a first-payment code after a payment', async ({ create }) => (await create(hidden, firstPayment)).code],
  [
    'a code for a larger amount',
    async ({ create }) => (await create(hidden, { restrictions: tenDollars })).code,
  ],
  ['a fully redeemed code', ({ redeemed }) => redeemed('code')],
  ['the coupon of a fully redeemed code', ({ redeemed }) => redeemed('couponId')],
  ["another member's code", ({ ofOtherCustomer }) => ofOtherCustomer('code')],
  ["the coupon of another member's code", ({ ofOtherCustomer }) => ofOtherCustomer('couponId')],
]

const it = paymentTest()
  .extend('discounts', { scope: 'file' }, ({ payments }) => createDiscounts(payments))
  /** A member whose paid plan was canceled. */
  .extend('lapsed', { scope: 'file' }, async ({ actions, stripe }) => {
    const member = await actions.subscriber()
    await stripe.subscriptions.cancel((await actions.subscriptionOf(member)).id)
    return { ...member, customer: await actions.customerOf(member) }
  })
  .extend('countLapsedSessions', { scope: 'file' }, ({ stripe, lapsed }) => async (): Promise<number> => {
    return (await stripe.checkout.sessions.list({ customer: lapsed.customer, limit: 100 })).data.length
  })

describe('POST /member/plans/create-checkout-session', () => {
  it.for([
    ["a coupon's id", ({ couponId }: Discount) => couponId],
    ['a promotion code', ({ code }: Discount) => code],
    ['a promotion code in other case', ({ code }: Discount) => code.toLowerCase()],
  ] as const)(
    'applies the discount of %s to the first payment',
    async ([_what, of], { payments, members, stripe, discounts }) => {
      const lea = await members.signUp()
      const couponId = of(await discounts.create())
      await payments.controls.completeCheckout(
        await payments.openCheckout(lea, testPrices.monthly, { couponId }),
      )
      await payments.settle()
      const member = await payments.memberOf(lea)
      const { data: charges } = await stripe.charges.list({ customer: member.stripeCustomerId ?? '' })
      expect(charges.map(({ amount }) => amount)).toEqual([399])
      // The coupon applies once, so the renewal costs the full price.
      expect(member.planConnections[0]?.payment?.amount).toBe(4.99)
    },
  )

  it.for(rejectedCodes)(
    'rejects %s and creates no session',
    async ([_what, of], { members, discounts, lapsed, countLapsedSessions }) => {
      const before = await countLapsedSessions()
      const couponId = await of(discounts)
      const reply = await members.call('POST', '/member/plans/create-checkout-session', {
        headers: lapsed.headers,
        body: { priceId: testPrices.monthly, couponId },
      })
      expect(refusalOf(reply)).toEqual({
        status: 400,
        code: 'coupon-not-valid',
        message: 'This code doesn’t work for this plan. Check it, or continue without one.',
      })
      expect(await countLapsedSessions()).toBe(before)
    },
  )

  it('accepts a checkout without a code after a rejected code', async ({ payments, lapsed }) => {
    expect(await payments.openCheckout(lapsed, testPrices.monthly)).toMatch(/^http/)
  })
})
