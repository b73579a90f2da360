import type { Store } from '../../store/store.ts'
import { amountOf, amountOff } from '../invoice/amounts.ts'
import type { CouponRecord, PriceRecord } from '../product/catalogue.record.ts'
import type { CheckoutSessionRecord } from './checkout-session.record.ts'

export type Totals = { price: PriceRecord; subtotal: number; discount: number; total: number }

/** Returns what is paid when the session is completed, in minor units. */
export function checkoutTotals(store: Store, { lineItem, discount: chosen }: CheckoutSessionRecord): Totals {
  const price = store.of('price').get(lineItem.priceId)
  const subtotal = amountOf(price, lineItem.quantity)
  const coupon = chosen && couponOfDiscount(store, chosen)
  const { currency, productId } = price
  const discount = coupon ? amountOff(coupon, { amount: subtotal, currency, productId }) : 0
  return { price, subtotal, discount, total: subtotal - discount }
}

/** Returns the coupon of a session's discount: its promotion code's if it names one. */
export function couponOfDiscount(
  store: Store,
  { couponId, promotionCodeId }: NonNullable<CheckoutSessionRecord['discount']>,
): CouponRecord | undefined {
  const id = promotionCodeId ? store.of('promotionCode').find(promotionCodeId)?.couponId : couponId
  return id ? store.of('coupon').find(id) : undefined
}
