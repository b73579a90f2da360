import type { CouponRecord, DiscountRecord, PriceRecord } from '../records/catalogue.ts'
import type { InvoiceLineRecord } from '../records/invoice.ts'
import type { World } from '../world/world.ts'

/** What the coupons in force make of an amount: a share of it, and something off the whole invoice. */
export type ActiveDiscount = { discount: DiscountRecord; coupon: CouponRecord }

/** Those of the discounts that lower an invoice made at `time`. */
export function activeDiscounts(world: World, discounts: DiscountRecord[], time: number): ActiveDiscount[] {
  return discounts.flatMap((discount) => {
    const coupon = world.of('coupon').find(discount.couponId)
    const isOver = discount.end !== null && discount.end <= time
    const isUsedUp = coupon?.duration === 'once' && discount.timesUsed > 0
    return coupon && !isOver && !isUsedUp ? [{ discount, coupon }] : []
  })
}

/** What a price costs for so many, before discounts. */
export function amountOf(price: PriceRecord, quantity: number): number {
  return price.unitAmount * quantity
}

/**
 * The lines with what each discount takes off. Prorations are left alone: their amounts hold the discounts already.
 * An amount off is spread over the lines in their order, never below nothing.
 */
export function withDiscounts(
  lines: InvoiceLineRecord[],
  currency: string,
  discounts: ActiveDiscount[],
): InvoiceLineRecord[] {
  const left = new Map(
    discounts.map(({ discount, coupon }) => [
      discount.id,
      coupon.currency === currency ? coupon.amountOff : null,
    ]),
  )
  return lines.map((line) => {
    if (line.isProration || line.amount <= 0) return { ...line, discountAmounts: [] }
    let remaining = line.amount
    const discountAmounts = discounts.flatMap(({ discount, coupon }) => {
      if (!appliesTo(coupon, line)) return []
      const flat = left.get(discount.id) ?? 0
      const share = coupon.percentOff === null ? flat : Math.round((remaining * coupon.percentOff) / 100)
      const amount = Math.min(remaining, share)
      left.set(discount.id, flat - amount)
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
export function totalsOf(lines: InvoiceLineRecord[]): { subtotal: number; total: number } {
  return {
    subtotal: lines.reduce((sum, { amount }) => sum + amount, 0),
    total: lines.reduce((sum, line) => sum + netOf(line), 0),
  }
}

function appliesTo(coupon: CouponRecord, line: InvoiceLineRecord) {
  const products = coupon.appliesToProductIds
  return products === null || (line.productId !== null && products.includes(line.productId))
}
