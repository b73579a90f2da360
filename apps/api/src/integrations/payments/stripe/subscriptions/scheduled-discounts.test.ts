import { testNow } from '@tidings/emulators/stripe/testing/start-emulator'
import type Stripe from 'stripe'
import { describe, expect } from 'vitest'
import { addMonths } from '#integrations/payments/discount-terms.ts'
import { PaymentsRefusedError } from '#integrations/payments/gateway-errors.ts'
import type { Renewal } from '#integrations/payments/payment-gateway.ts'
import { newest, type StripeStore, storeTest, subscribed } from '#test/payments/stripe-store.ts'
import { secondsOf } from '../client/client.ts'

type Coupon = Stripe.CouponCreateParams
/** An action of the merchant in the dashboard. */
type Act = (stripe: Stripe, about: About) => Promise<unknown>
type About = { subscriptionId: string; coupon: string }
type Row = [what: string, coupon: Coupon, before: Act | null, after: Act | null, charged: number[]]

const it = storeTest()

const forever: Coupon = { percent_off: 20, duration: 'forever' }
const soonOver: Coupon = { ...forever, redeem_by: secondsOf(testNow()) + 30 * 86_400 }
const once: Coupon = { percent_off: 20, duration: 'once' }
const months = (count: number): Coupon => {
  return { percent_off: 20, duration: 'repeating', duration_in_months: count }
}
const give: Act = (stripe, { subscriptionId, coupon }) =>
  stripe.subscriptions.update(subscriptionId, { discounts: [{ coupon }] })
const remove: Act = (stripe, { subscriptionId }) =>
  stripe.subscriptions.update(subscriptionId, { discounts: '' })

const discard: Act = (stripe, { coupon }) => stripe.coupons.del(coupon)
/** Lets the scheduled phase begin a discount of its own. */
const giveLater: Act = (stripe, { subscriptionId, coupon }) => changePhase(stripe, subscriptionId, { coupon })
const giveCodeLater: Act = async (stripe, { subscriptionId, coupon }) => {
  const { id } = await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon } })
  await changePhase(stripe, subscriptionId, { promotion_code: id })
}

async function changePhase(
  stripe: Stripe,
  subscriptionId: string,
  discount: { coupon: string } | { promotion_code: string },
) {
  const { schedule } = await stripe.subscriptions.retrieve(subscriptionId, { expand: ['schedule'] })
  if (schedule === null || typeof schedule === 'string') throw new Error('Nothing is scheduled.')
  const phases = schedule.phases.map(({ start_date, end_date, items: [item] }, index) => {
    return {
      start_date,
      end_date,
      items: [{ price: String(item?.price) }],
      discounts: index ? [discount] : [],
    }
  })
  await stripe.subscriptionSchedules.update(schedule.id, { phases })
}

const rows: Row[] = [
  ['given before', forever, give, null, [399, 399, 399]],
  ['given after', forever, null, give, [499, 499, 499]],
  ['given before and removed after', forever, give, remove, [399, 399, 399]],
  ['given before for one invoice', once, give, null, [399, 499, 499]],
  ['given before for one invoice and removed after', once, give, remove, [399, 499, 499]],
  ['that ends before the change applies', months(2), give, null, [499, 499, 499]],
  ['that ends a month after the change applies', months(13), give, null, [399, 499, 499]],
  ['that ends a month after it, removed', months(13), give, remove, [399, 499, 499]],
  ['given before and deleted', forever, give, discard, [399, 399, 399]],
  ['that ends a month after it, deleted', months(13), give, discard, [399, 499, 499]],
  ['of the scheduled phase', forever, null, giveLater, [399, 399, 399]],
  ['of the scheduled phase for one invoice', once, null, giveLater, [399, 499, 499]],
  ['of the scheduled phase for two months', months(2), null, giveLater, [399, 399, 499]],
  ['of a code of the scheduled phase', months(2), null, giveCodeLater, [399, 399, 499]],
  ['of the scheduled phase that can’t be redeemed by then', soonOver, null, giveLater, [499, 499, 499]],
]

/** Returns what the next renewal and the monthly ones after it charge. */
async function chargesOf({ stripe, pass }: StripeStore, customer: string, count: number, firstDays = 366) {
  await pass(firstDays)
  for (let month = 1; month < count; month += 1) await pass(31)
  const { data } = await stripe.invoices.list({ customer, limit: count })
  return data.toReversed().map(({ created, total }) => ({ created, total }))
}

/** Returns what a renewal at an instant was said to charge. */
function shownAt({ amounts }: Renewal, seconds: number): number | undefined {
  return amounts.findLast(({ from }) => Date.parse(from) / 1000 <= seconds)?.amount
}

describe('the price after a scheduled change', () => {
  it.for(rows)('is shown as Stripe charges it with a coupon %s', async (row, { ownStore }) => {
    const [, params, before, after, expected] = row
    const { gateway, stripe, monthly, yearly } = ownStore
    const { customerId, subscription } = await subscribed(ownStore, yearly)
    const about = { subscriptionId: subscription.id, coupon: (await stripe.coupons.create(params)).id }
    await before?.(stripe, about)
    await gateway.changeAtPeriodEnd(subscription, monthly.id)
    await after?.(stripe, about)
    const scheduled = await newest(gateway, customerId)
    const shown = await gateway.previewRenewal(scheduled, monthly.id)
    const charged = await chargesOf(ownStore, customerId, expected.length)
    expect(charged.map(({ total }) => total)).toEqual(expected)
    expect(charged.map(({ created }) => shownAt(shown, created))).toEqual(expected)
    expect(scheduled.adjustedBy).not.toBeNull()
  })

  it('is shown as Stripe charges it after another change, which keeps the discounts of the phase', async ({
    ownStore,
  }) => {
    const { gateway, stripe, monthly, yearly } = ownStore
    const cheaper = await ownStore.reprice(monthly, 400)
    const { customerId, subscription } = await subscribed(ownStore, yearly)
    const about = { subscriptionId: subscription.id, coupon: (await stripe.coupons.create(forever)).id }
    await gateway.changeAtPeriodEnd(subscription, monthly.id)
    await giveLater(stripe, about)
    const shown = await gateway.previewRenewal(await newest(gateway, customerId), cheaper.id)
    await gateway.changeAtPeriodEnd(await newest(gateway, customerId), cheaper.id)
    const charged = await chargesOf(ownStore, customerId, 1)
    expect([shown.amount, ...charged.map(({ total }) => total)]).toEqual([320, 320])
  })

  it('is not shown if the coupon was removed and deleted', async ({ store }) => {
    const { gateway, stripe, monthly, yearly } = store
    const { customerId, subscription } = await subscribed(store, yearly)
    const about = { subscriptionId: subscription.id, coupon: (await stripe.coupons.create(forever)).id }
    await give(stripe, about)
    await gateway.changeAtPeriodEnd(subscription, monthly.id)
    await remove(stripe, about)
    await discard(stripe, about)
    const scheduled = await newest(gateway, customerId)
    await expect(gateway.previewRenewal(scheduled, monthly.id)).rejects.toThrow(PaymentsRefusedError)
  })

  it('is not shown if Stripe refuses to preview a coupon, which is no error of a code', async ({ store }) => {
    const { gateway, stripe, monthly, yearly } = store
    const { customerId, subscription } = await subscribed(store, yearly)
    const { id: coupon } = await stripe.coupons.create({
      duration: 'forever',
      amount_off: 100,
      currency: 'eur',
    })
    await gateway.changeAtPeriodEnd(subscription, monthly.id)
    await giveLater(stripe, { subscriptionId: subscription.id, coupon })
    const scheduled = await newest(gateway, customerId)
    await expect(gateway.previewRenewal(scheduled, monthly.id)).rejects.toThrow(PaymentsRefusedError)
  })

  it('is previewed for an upgrade without the discounts of the schedule', async ({ ownStore }) => {
    const { gateway, stripe, monthly, yearly } = ownStore
    const cheaper = await ownStore.reprice(monthly, 100)
    const { customerId, subscription } = await subscribed(ownStore)
    const about = { subscriptionId: subscription.id, coupon: (await stripe.coupons.create(forever)).id }
    await give(stripe, about)
    await gateway.changeAtPeriodEnd(subscription, cheaper.id)
    await remove(stripe, about)
    const scheduled = await newest(gateway, customerId)
    const { renewal } = await gateway.previewChange(scheduled, yearly.id, scheduled.periodStartsAt)
    await gateway.changeNow(scheduled, yearly.id, scheduled.periodStartsAt)
    await ownStore.pass(366)
    const { latestInvoice } = await newest(gateway, customerId)
    expect([renewal.amount, latestInvoice?.amount]).toEqual([4_999, 4_999])
  })
})

describe('the price after a schedule of the merchant', () => {
  const coupon = 'A_FIFTH'
  const discounts = [{ coupon }]
  type Phase = { quantity?: number; discounts?: { coupon: string }[] | ''; price?: string }
  it.for<
    [what: string, periods: number, next: Phase, item: { discounts?: { coupon: string }[] }, now: number]
  >([
    ['with two of the same price', 1, { quantity: 2 }, {}, 998],
    ['with two of another price', 1, { quantity: 2, price: 'another' }, {}, 800],
    ['with a coupon for the same price', 1, { discounts }, {}, 399],
    ['with a coupon for the item', 1, {}, { discounts }, 399],
    ['without the coupon of the same price', 1, { discounts: '' }, {}, 499],
    ['that begins a period later', 2, { quantity: 2, price: 'another' }, {}, 399],
  ])('is shown as Stripe charges it %s', async ([what, periods, next, item, total], { ownStore }) => {
    const { gateway, stripe, monthly } = ownStore
    const { customerId, subscription } = await subscribed(ownStore)
    const another = await ownStore.reprice(monthly, 400)
    await stripe.coupons.create({ ...forever, id: coupon })
    const isDiscounted = what.startsWith('without') || what.startsWith('that')
    if (isDiscounted) await stripe.subscriptions.update(subscription.id, { discounts })
    const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id })
    const [current] = schedule.phases
    const { quantity = 1, price, ...own } = next
    await stripe.subscriptionSchedules.update(schedule.id, {
      phases: [
        {
          start_date: secondsOf(subscription.periodStartsAt),
          end_date: addMonths(secondsOf(subscription.periodStartsAt), periods),
          items: [{ price: monthly.id }],
          discounts: (current?.discounts ?? []).map((one) => ({ discount: String(one.discount) })),
        },
        { items: [{ quantity, price: price === undefined ? monthly.id : another.id, ...item }], ...own },
      ],
    })
    const scheduled = await newest(gateway, customerId)
    const { amount } = await gateway.previewRenewal(scheduled)
    const [charged] = await chargesOf(ownStore, customerId, 1, 31)
    expect([amount, charged?.total]).toEqual([total, total])
    expect(scheduled.adjustedBy).not.toBeNull()
  })
})

describe('a discount of the item', () => {
  it.for<[what: string, changes: ('later' | 'now' | 'stay')[], days: number, total: number]>([
    ['ends with an upgrade', ['now'], 366, 4_999],
    ['ends with a scheduled change', ['later'], 31, 400],
    ['stays if the scheduled change is canceled', ['later', 'stay'], 31, 399],
  ])('%s, as shown', async ([, changes, days, total], { ownStore }) => {
    const { gateway, stripe, monthly, yearly } = ownStore
    const { customerId, subscription } = await subscribed(ownStore)
    const another = await ownStore.reprice(monthly, 400)
    const { id: coupon } = await stripe.coupons.create(forever)
    const items = [{ id: subscription.itemId, discounts: [{ coupon }] }]
    await stripe.subscriptions.update(subscription.id, { items })
    let shown: Renewal | undefined
    for (const change of changes) {
      const now = await newest(gateway, customerId)
      const priceId = { later: another.id, now: yearly.id, stay: monthly.id }[change]
      if (change === 'now') {
        shown = (await gateway.previewChange(now, priceId, now.periodStartsAt)).renewal
        await gateway.changeNow(now, priceId, now.periodStartsAt)
      } else {
        shown = await gateway.previewRenewal(now, priceId)
        await gateway.changeAtPeriodEnd(now, priceId)
      }
    }
    const stored = await gateway.previewRenewal(await newest(gateway, customerId))
    const [charged] = await chargesOf(ownStore, customerId, 1, days)
    expect([shown?.amount, stored.amount, charged?.total]).toEqual([total, total, total])
  })
})
