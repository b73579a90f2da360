import type { CouponRecord, PriceRecord } from '../records/catalogue.ts'
import type { CheckoutSessionRecord } from '../records/checkout-session.ts'
import type { InvoiceLineRecord } from '../records/invoice.ts'
import type { World } from '../world/world.ts'
import { netOf, withDiscounts } from './amounts.ts'

export type LineTotal = {
  id: string
  price: PriceRecord
  quantity: number
  subtotal: number
  discount: number
  total: number
}

export type Totals = { lines: LineTotal[]; subtotal: number; discount: number; total: number }

type Bought = Pick<
  CheckoutSessionRecord,
  'lineItems' | 'discounts' | 'subscriptionData' | 'mode' | 'currency'
>

/** What is paid when the session is completed, in minor units: nothing for what a trial begins with. */
export function totalsOf(world: World, session: Bought): Totals {
  const prices = new Map(
    session.lineItems.map(({ id, priceId }) => [id, world.of('price').get(priceId)] as const),
  )
  const invoiced = session.lineItems.map(({ id, quantity, priceId }) => {
    const price = world.of('price').get(priceId)
    const amount = hasTrial(session) && price.recurring ? 0 : price.unitAmount * quantity
    return invoiceLine(id, price, quantity, amount)
  })
  const discounts = session.discounts.flatMap((discount, index) => {
    const coupon = couponOf(world, discount)
    const record = { ...discount, id: String(index), start: 0, end: null, timesUsed: 0 }
    return coupon ? [{ coupon, discount: { ...record, couponId: coupon.id } }] : []
  })
  const lines = withDiscounts(invoiced, session.currency, discounts).flatMap((line) => {
    const price = prices.get(line.id)
    const total = netOf(line)
    const { id, quantity, amount: subtotal } = line
    return price ? [{ id, price, quantity, subtotal, discount: subtotal - total, total }] : []
  })
  const sum = (amountOf: (line: LineTotal) => number) =>
    lines.reduce((total, line) => total + amountOf(line), 0)
  return {
    lines,
    subtotal: sum((line) => line.subtotal),
    discount: sum((line) => line.discount),
    total: sum((line) => line.total),
  }
}

/** Whether the subscription begins with days that cost nothing. */
export function hasTrial({ mode, subscriptionData }: Pick<Bought, 'mode' | 'subscriptionData'>): boolean {
  return mode === 'subscription' && (subscriptionData.trialPeriodDays ?? subscriptionData.trialEnd) !== null
}

/** The coupon that a session's discount stands for, its promotion code's if it names one. */
export function couponOf(
  world: World,
  { couponId, promotionCodeId }: Bought['discounts'][number],
): CouponRecord | undefined {
  const id = promotionCodeId ? world.of('promotionCode').find(promotionCodeId)?.couponId : couponId
  return id ? world.of('coupon').find(id) : undefined
}

/** The line as the first invoice will hold it, so that page and invoice agree to the cent. */
function invoiceLine(id: string, price: PriceRecord, quantity: number, amount: number): InvoiceLineRecord {
  return {
    id,
    amount,
    discountAmounts: [],
    description: '',
    period: { start: 0, end: 0 },
    priceId: price.id,
    productId: price.productId,
    quantity,
    isProration: false,
    subscriptionId: null,
    subscriptionItemId: null,
    invoiceItemId: null,
    metadata: {},
  }
}
