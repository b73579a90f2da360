import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusalOf } from '../../../../test/desk.ts'
import { type PaymentSite, startPaymentSite, testPrices } from '../../../../test/payment-site.ts'

let at: PaymentSite
beforeAll(async () => {
  at = await startPaymentSite()
})
afterAll(() => at.close())

describe('a code at the checkout', () => {
  /** A coupon of a fifth of the price, and a code for it. */
  async function fifthOff(settings: { redeemBy?: number; expiresAt?: number; active?: boolean } = {}) {
    const { redeemBy, expiresAt, active = true } = settings
    const coupon = await at.stripe.coupons.create({
      ...{ percent_off: 20, duration: 'once' },
      ...(redeemBy === undefined ? {} : { redeem_by: redeemBy }),
    })
    const code = await at.stripe.promotionCodes.create({
      ...{ promotion: { type: 'coupon', coupon: coupon.id }, active },
      ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
    })
    return { couponId: coupon.id, code: code.code }
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

  it.each([
    ['unknown', async () => 'NEVER-WAS'],
    ['with odd letters', async () => '%00 💶 ../../x'],
    ['switched off', async () => (await fifthOff({ active: false })).code],
    ['over its last day', () => overdue('code')],
    ['a coupon over its last day', () => overdue('couponId')],
  ])('that is %s is refused, and nothing is opened', async (_what, of) => {
    const max = await at.members.signUp()
    const couponId = await of()
    const reply = await at.members.call('POST', '/member/plans/create-checkout-session', {
      headers: max.headers,
      body: { priceId: testPrices.monthly, couponId },
    })
    const refusal = refusalOf(reply)
    expect(refusal).toMatchObject({ status: 400, code: 'coupon-not-valid' })
    expect(refusal.message).toBe('This code is not valid, or it does not hold for this plan.')
    const { stripeCustomerId: customer } = await at.memberOf(max)
    const { data } = await at.stripe.checkout.sessions.list({ customer: customer ?? 'nobody' })
    expect(data).toEqual([])
    expect(await at.openCheckout(max, testPrices.monthly)).toMatch(/^http/)
  })

  /** A code, or its coupon, just after its end. */
  async function overdue(which: 'code' | 'couponId') {
    const end = Math.floor(at.site.clock.now().getTime() / 1000) + 60
    const made = await fifthOff(which === 'code' ? { expiresAt: end } : { redeemBy: end })
    at.site.clock.pass(61_000)
    return made[which]
  }
})
