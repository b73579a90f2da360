import { expect, test } from 'vitest'
import type { CouponRecord } from '../coupon/coupon.ts'
import type { InvoiceLineRecord } from './invoice.ts'
import { type ActiveDiscount, invoiceTotals, netOf, shareOf, withDiscounts } from './invoice-lines.ts'

const line: InvoiceLineRecord = {
  id: 'il_1',
  amount: 900,
  discountAmounts: [],
  description: 'Tidings',
  period: { start: 0, end: 100 },
  priceId: 'price_1',
  productId: 'prod_1',
  quantity: 1,
  isProration: false,
  subscriptionId: 'sub_1',
  subscriptionItemId: 'si_1',
  metadata: {},
}

function discount(id: string, coupon: Partial<CouponRecord>): ActiveDiscount {
  return {
    discount: { id, couponId: id, promotionCodeId: null, start: 0, end: null, timesUsed: 0 },
    coupon: {
      id,
      created: 0,
      metadata: {},
      name: null,
      percentOff: null,
      amountOff: null,
      currency: null,
      duration: 'forever',
      durationInMonths: null,
      maxRedemptions: null,
      redeemBy: null,
      timesRedeemed: 0,
      appliesToProductIds: null,
      deleted: false,
      ...coupon,
    },
  }
}

test('a percentage is rounded to the cent', () => {
  const [discounted = line] = withDiscounts([{ ...line, amount: 999 }], 'usd', [
    discount('d', { percentOff: 33.3 }),
  ])
  expect(netOf(discounted)).toBe(999 - 333)
})

test('two discounts are taken one after the other', () => {
  const discounts = [discount('a', { percentOff: 50 }), discount('b', { percentOff: 10 })]
  const [discounted = line] = withDiscounts([line], 'usd', discounts)
  expect(discounted.discountAmounts).toEqual([
    { amount: 450, discountId: 'a' },
    { amount: 45, discountId: 'b' },
  ])
})

test('an amount off never goes below nothing', () => {
  const off = discount('a', { amountOff: 1_000, currency: 'usd' })
  const lines = withDiscounts([line], 'usd', [off])
  expect(lines.map(netOf)).toEqual([0])
  expect(invoiceTotals(lines)).toEqual({ subtotal: 900, total: 0 })
})

test('an amount in another currency takes nothing off', () => {
  const off = discount('a', { amountOff: 1_000, currency: 'eur' })
  expect(withDiscounts([line], 'usd', [off]).map(netOf)).toEqual([900])
})

test('a coupon for other products takes nothing off', () => {
  const off = discount('a', { percentOff: 50, appliesToProductIds: ['prod_2'] })
  expect(withDiscounts([line], 'usd', [off]).map(netOf)).toEqual([900])
})

test('prorations and credits are not discounted a second time', () => {
  const lines = [
    { ...line, isProration: true },
    { ...line, amount: -400 },
  ]
  expect(withDiscounts(lines, 'usd', [discount('a', { percentOff: 50 })]).map(netOf)).toEqual([900, -400])
})

test.each([
  [900, 0, 900],
  [900, 50, 450],
  [900, 100, 0],
  [900, 120, 0],
  [100, 67, 33],
  [999, 50, 500],
])('of %i for a period of 100, %i seconds in, %i is left', (amount, from, left) => {
  expect(shareOf(amount, { start: 0, end: 100 }, from)).toBe(left)
})
