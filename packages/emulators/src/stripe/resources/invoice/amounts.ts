import type { Store } from '../../store/store.ts'
import type { CouponRecord, DiscountRecord, PriceRecord } from '../product/catalogue.record.ts'
import type { InvoiceLineRecord } from './invoice.record.ts'

/** What the coupons in force make of an amount: a share of it, and something off the whole invoice. */
export type ActiveDiscount = { discount: DiscountRecord; coupon: CouponRecord }

/** Those of the discounts that lower an invoice made at `time`. */
export function activeDiscounts(store: Store, discounts: DiscountRecord[], time: number): ActiveDiscount[] {
  return discounts.flatMap((discount) => {
    const coupon = store.of('coupon').find(discount.couponId)
    const isOver = discount.end !== null && discount.end <= time
    const isUsedUp = coupon?.duration === 'once' && discount.timesUsed > 0
    return coupon && !isOver && !isUsedUp ? [{ discount, coupon }] : []
  })
}

/** What a price costs for so many, before discounts. */
export function amountOf(price: PriceRecord, quantity: number): number {
  return price.unitAmount * quantity
}

/** Returns what a coupon takes off an amount (minor units), never more than that. */
export function amountOff(
  { appliesToProductIds: products, percentOff, ...coupon }: CouponRecord,
  { amount, currency, productId }: { amount: number; currency: string; productId: string },
): number {
  if (products !== null && !products.includes(productId)) return 0
  if (percentOff !== null) return Math.round((amount * percentOff) / 100)
  return coupon.currency === currency ? Math.min(amount, coupon.amountOff ?? 0) : 0
}

/**
 * Returns the lines with what each discount takes off. Prorations are left alone: their amounts include the discounts
 * already.
 */
export function withDiscounts(
  lines: InvoiceLineRecord[],
  currency: string,
  discounts: ActiveDiscount[],
): InvoiceLineRecord[] {
  return lines.map((line) => {
    if (line.isProration || line.amount <= 0) return { ...line, discountAmounts: [] }
    let remaining = line.amount
    const discountAmounts = discounts.flatMap(({ discount, coupon }) => {
      const amount = amountOff(coupon, { amount: remaining, currency, productId: line.productId })
      remaining -= amount
      return amount > 0 ? [{ amount, discountId: discount.id }] : []
    })
    return { ...line, discountAmounts }
  })
}

/** A line's amount with its discounts taken off. */
export function netOf(line: InvoiceLineRecord): number {
  return line.amount - line.discountAmounts.reduce((sum, { amount }) => sum + amount, 0)
}

/** What an invoice of these lines comes to, before the customer's balance. */
export function invoiceTotals(lines: InvoiceLineRecord[]): { subtotal: number; total: number } {
  return {
    subtotal: lines.reduce((sum, { amount }) => sum + amount, 0),
    total: lines.reduce((sum, line) => sum + netOf(line), 0),
  }
}
