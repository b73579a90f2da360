import type Stripe from 'stripe'
import { describe, expect } from 'vitest'
import { createCapturedLog } from '#test/captured-log.ts'
import { paymentTest } from '#test/fixtures.ts'
import type { TestMember } from '#test/membership.ts'
import { paidPlansOf } from '#test/payments/payment-actions.ts'
import { testPrices } from '#test/sites/payment-site.ts'

const half = { percent_off: 50, duration: 'repeating', duration_in_months: 3 } as const

// A refused preview logs an error.
const log = createCapturedLog()
const it = paymentTest({ overrides: { logger: log.logger } })
  .extend('ann', async ({ payments, members }) => {
    const ann = await members.signUp()
    await payments.subscribe(ann, testPrices.monthly)
    return ann
  })
  .extend('subscriptionId', async ({ actions, ann }) => (await actions.subscriptionOf(ann)).id)
  /** Returns the amounts of a member's next payments, and whether the price is known at all. */
  .extend('amountsOf', { scope: 'file' }, ({ actions }) => async (member: TestMember) => {
    const [plan] = paidPlansOf(await actions.memberNow(member))
    return plan?.payment?.renewal?.amounts.map(({ amount }) => amount)
  })
  .extend('discount', { scope: 'file' }, ({ payments, stripe }) => {
    return async (subscriptionId: string, coupon: Stripe.CouponCreateParams = half) => {
      const { id } = await stripe.coupons.create(coupon)
      await stripe.subscriptions.update(subscriptionId, { discounts: [{ coupon: id }] })
      await payments.settle()
    }
  })

it.afterEach(({ actions }) => actions.cancelAll())

describe('the price of the next payments', () => {
  it('has the list price beside it', async ({ actions, ann, subscriptionId, discount }) => {
    await discount(subscriptionId)
    const [plan] = paidPlansOf(await actions.memberNow(ann))
    const { amount, nextBillingDate, renewal } = plan?.payment ?? {}
    expect([amount, renewal?.interval, renewal?.taxBehavior]).toEqual([4.99, 'MONTHLY', null])
    const next = new Date(nextBillingDate ?? '')
    const third = new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 2, next.getUTCDate()))
    expect(renewal?.amounts).toMatchObject([
      { from: nextBillingDate, amount: 2.49, tax: 0 },
      { from: expect.stringContaining(third.toISOString().slice(0, 10)), amount: 4.99, tax: 0 },
    ])
  })

  it('follows coupons that are given and taken in the dashboard', async ({
    actions,
    payments,
    stripe,
    ann,
    subscriptionId,
    discount,
    amountsOf,
  }) => {
    await discount(subscriptionId)
    expect(await amountsOf(ann)).toEqual([2.49, 4.99])
    await stripe.subscriptions.update(subscriptionId, { discounts: '' })
    await payments.settle()
    expect(await amountsOf(ann)).toEqual([4.99])
    const customer = await actions.customerOf(ann)
    await payments.controls.discountCustomer(customer, (await stripe.coupons.create(half)).id)
    await payments.settle()
    expect(await amountsOf(ann)).toEqual([2.49, 4.99])
    await stripe.customers.deleteDiscount(customer)
    await payments.settle()
    expect(await amountsOf(ann)).toEqual([4.99])
  })

  it('is corrected by reconcile when the event of a discount was lost', async ({
    actions,
    site,
    ann,
    subscriptionId,
    discount,
    amountsOf,
  }) => {
    const { reconcile } = site.context.reconciliation
    await actions.disableWebhooks()
    await discount(subscriptionId, { percent_off: 20, duration: 'forever' })
    expect(await amountsOf(ann)).toEqual([4.99])
    await reconcile()
    expect(await amountsOf(ann)).toEqual([3.99])
    expect((await reconcile()).changes).toEqual([])
  })

  it('is that of a scheduled change and of a changed plan', async ({
    members,
    payments,
    ann,
    subscriptionId,
    discount,
    amountsOf,
  }) => {
    await discount(subscriptionId, { percent_off: 50, duration: 'forever' })
    const change = async (priceId: string) => {
      const { headers } = ann
      await members.call('POST', '/member/plans/change', { headers, body: { priceId } })
      await payments.settle()
      return await amountsOf(ann)
    }
    expect(await change(testPrices.yearly)).toEqual([24.99])
    expect(await change(testPrices.monthly)).toEqual([2.49])
    expect(await change(testPrices.yearly)).toEqual([24.99])
  })

  it('is that of the payment after a trial', async ({ actions, payments, db, stripe, ann, amountsOf }) => {
    const customer = await actions.customerOf(ann)
    const { id, items, default_payment_method: card } = await actions.subscriptionOf(ann)
    await stripe.subscriptions.cancel(id)
    const coupon = await stripe.coupons.create({ percent_off: 50, duration: 'forever' })
    await stripe.subscriptions.create({
      customer,
      items: [{ price: items.data[0]?.price.id ?? '' }],
      discounts: [{ coupon: coupon.id }],
      trial_period_days: 14,
      ...(typeof card === 'string' && { default_payment_method: card }),
    })
    await payments.settle()
    expect(await amountsOf(ann)).toEqual([2.49])
    expect(await db.planConnection.findFirst({ where: { memberId: ann.memberId } })).toMatchObject({
      status: 'TRIALING',
      amount: 499,
    })
  })

  it('is not shown while Stripe refuses to preview it, and comes with the next reconcile', async ({
    payments,
    site,
    ann,
    subscriptionId,
    discount,
    amountsOf,
  }) => {
    await payments.controls.addFault({
      kind: 'forbidden',
      match: 'POST /v1/invoices/create_preview',
      times: 9,
    })
    await discount(subscriptionId)
    expect(await amountsOf(ann)).toBeUndefined()
    await payments.controls.clearFaults()
    await site.context.reconciliation.reconcile()
    expect(await amountsOf(ann)).toEqual([2.49, 4.99])
  })

  it('is not shown for a canceled plan', async ({
    payments,
    stripe,
    ann,
    subscriptionId,
    discount,
    amountsOf,
  }) => {
    await discount(subscriptionId)
    await stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true })
    await payments.settle()
    expect(await amountsOf(ann)).toBeUndefined()
  })
})
