import type { Store } from '../../store/store.ts'
import { billedDiscounts } from '../customers/customer-discount.ts'
import { amountOff, type CouponRecord } from '../products/coupon.ts'
import type { DiscountRecord } from '../products/discount.ts'
import { type PriceRecord, productName } from '../products/price.ts'
import { taxOf } from '../products/tax.ts'
import type { InvoiceLineRecord, InvoiceRecord } from './invoice.ts'
import type { SubscriptionItemRecord, SubscriptionRecord } from './subscription.ts'

/** Returns the line of an item's whole billing period. A trial is free. */
export function periodLine(
  store: Store,
  subscription: Pick<SubscriptionRecord, 'id' | 'metadata'>,
  item: SubscriptionItemRecord,
  { isTrial = false }: { isTrial?: boolean } = {},
): InvoiceLineRecord {
  const price = store.of('price').get(item.priceId)
  const name = productName(store, price)
  return {
    id: store.newId('il'),
    amount: isTrial ? 0 : price.unitAmount * item.quantity,
    discountAmounts: [],
    description: isTrial ? `Trial period for ${name}` : `${item.quantity} × ${name} (at ${rateOf(price)})`,
    period: { start: item.currentPeriodStart, end: item.currentPeriodEnd },
    priceId: price.id,
    productId: price.productId,
    quantity: item.quantity,
    itemDiscounts: item.discounts ?? [],
    isProration: false,
    subscriptionId: subscription.id,
    subscriptionItemId: item.id,
    metadata: subscription.metadata,
  }
}

function rateOf({ unitAmount, currency, recurring }: PriceRecord) {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  const money = format.format(unitAmount / 10 ** digits)
  if (!recurring) return money
  const { interval, intervalCount } = recurring
  return intervalCount === 1 ? `${money} / ${interval}` : `${money} / every ${intervalCount} ${interval}s`
}

/** Returns the share of `amount` between `from` and the period's end, rounded to minor units. */
export function shareOf(amount: number, period: { start: number; end: number }, from: number): number {
  const length = period.end - period.start
  if (length <= 0) return 0
  const left = Math.min(length, Math.max(0, period.end - from))
  return Math.round((amount * left) / length)
}

/** Returns a negative line for the unused rest of an item's paid period; undefined when nothing was paid. */
export function creditLine(
  store: Store,
  subscription: SubscriptionRecord,
  item: SubscriptionItemRecord,
  at: number,
): InvoiceLineRecord | undefined {
  const { amount, period } = paidFor(store, subscription, item)
  const credit = shareOf(amount, period, at)
  if (credit <= 0) return undefined
  return prorationLine(store, subscription, item, {
    amount: -credit,
    word: 'Unused',
    period: { start: at, end: item.currentPeriodEnd },
  })
}

/** Returns the line for the rest of an item's period, with its discounts. */
export function remainderLine(
  store: Store,
  subscription: SubscriptionRecord,
  item: SubscriptionItemRecord,
  at: number,
): InvoiceLineRecord {
  const period = { start: item.currentPeriodStart, end: item.currentPeriodEnd }
  const amount = shareOf(discounted(store, subscription, item, at), period, at)
  return prorationLine(store, subscription, item, {
    amount,
    word: 'Remaining',
    period: { start: at, end: item.currentPeriodEnd },
  })
}

/**
 * Returns what an item's period was charged: the newest line that covers its rest, or else the current discounted
 * price.
 */
function paidFor(store: Store, subscription: SubscriptionRecord, item: SubscriptionItemRecord) {
  const charged = linesOf(store, subscription).find(
    (line) =>
      line.subscriptionItemId === item.id &&
      line.priceId === item.priceId &&
      line.quantity === item.quantity &&
      line.period.end === item.currentPeriodEnd &&
      (line.amount > 0 || !line.isProration),
  )
  if (charged) return { amount: netOf(charged), period: charged.period }
  const period = { start: item.currentPeriodStart, end: item.currentPeriodEnd }
  return { amount: discounted(store, subscription, item, item.currentPeriodStart), period }
}

function linesOf(store: Store, { customerId, id }: SubscriptionRecord): InvoiceLineRecord[] {
  const isCharged = ({ subscriptionId, status }: InvoiceRecord) => subscriptionId === id && status !== 'void'
  return store
    .of('invoice')
    .ofCustomer(customerId, isCharged)
    .flatMap(({ lines }) => lines)
}

function discounted(
  store: Store,
  subscription: SubscriptionRecord,
  item: SubscriptionItemRecord,
  at: number,
) {
  const price = store.of('price').get(item.priceId)
  const active = activeDiscounts(store, billedDiscounts(store, subscription), at)
  const whole = { ...periodLine(store, subscription, item), amount: price.unitAmount * item.quantity }
  return withDiscounts([whole], price.currency, active, (own) => activeDiscounts(store, own, at)).reduce(
    (sum, line) => sum + netOf(line),
    0,
  )
}

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

function prorationLine(
  store: Store,
  subscription: SubscriptionRecord,
  item: SubscriptionItemRecord,
  { amount, word, period }: { amount: number; word: string; period: { start: number; end: number } },
): InvoiceLineRecord {
  const price = store.of('price').get(item.priceId)
  const name = productName(store, price)
  const counted = item.quantity === 1 ? name : `${item.quantity} × ${name}`
  return {
    ...periodLine(store, subscription, item),
    amount,
    description: `${word} time on ${counted} after ${dayFormat.format(period.start * 1000)}`,
    period,
    isProration: true,
  }
}

/** A discount in effect and its coupon. */
export type ActiveDiscount = { discount: DiscountRecord; coupon: CouponRecord }

/** Returns the discounts that apply to an invoice at `time`. */
export function activeDiscounts(store: Store, discounts: DiscountRecord[], time: number): ActiveDiscount[] {
  return discounts.flatMap((discount) => {
    const coupon = store.of('coupon').find(discount.couponId)
    const isOver = discount.end !== null && discount.end <= time
    const isUsedUp = coupon?.duration === 'once' && discount.timesUsed > 0
    return coupon && !isOver && !isUsedUp ? [{ discount, coupon }] : []
  })
}

/** Returns the lines with their discounts. Prorations are skipped, because their amounts include discounts. */
export function withDiscounts(
  lines: InvoiceLineRecord[],
  currency: string,
  discounts: ActiveDiscount[],
  activeOf: (itemDiscounts: DiscountRecord[]) => ActiveDiscount[] = () => [],
): InvoiceLineRecord[] {
  return lines.map((line) => {
    if (line.isProration || line.amount <= 0) return { ...line, discountAmounts: [] }
    let remaining = line.amount
    const all = [...activeOf(line.itemDiscounts ?? []), ...discounts]
    const discountAmounts = all.flatMap(({ discount, coupon }) => {
      const amount = amountOff(coupon, { amount: remaining, currency })
      remaining -= amount
      return amount > 0 ? [{ amount, discountId: discount.id }] : []
    })
    return { ...line, discountAmounts }
  })
}

/** Returns a line's amount after discounts. */
export function netOf(line: InvoiceLineRecord): number {
  return line.amount - line.discountAmounts.reduce((sum, { amount }) => sum + amount, 0)
}

/** Returns the lines with the tax on their discounted amounts. */
export function withTaxes(store: Store, lines: InvoiceLineRecord[]): InvoiceLineRecord[] {
  return lines.map((line) => {
    return { ...line, tax: taxOf(store, store.of('price').get(line.priceId), netOf(line)) }
  })
}

/** Returns the totals before the customer's balance. */
export function invoiceTotals(lines: InvoiceLineRecord[]): { subtotal: number; total: number } {
  const added = lines.map(({ tax }) => (tax?.behavior === 'exclusive' ? tax.amount : 0))
  return {
    subtotal: lines.reduce((sum, { amount }) => sum + amount, 0),
    total: lines.reduce((sum, line, position) => sum + netOf(line) + (added[position] ?? 0), 0),
  }
}
