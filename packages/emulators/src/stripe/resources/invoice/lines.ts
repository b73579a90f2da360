import type { Store } from '../../store/store.ts'
import type { PriceRecord } from '../product/catalogue.record.ts'
import type { SubscriptionItemRecord, SubscriptionRecord } from '../subscription/subscription.record.ts'
import { amountOf } from './amounts.ts'
import type { InvoiceLineRecord } from './invoice.record.ts'

/** Returns the line of an item's whole billing period. A trial costs nothing. */
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
    amount: isTrial ? 0 : amountOf(price, item.quantity),
    discountAmounts: [],
    description: isTrial ? `Trial period for ${name}` : `${item.quantity} × ${name} (at ${rateOf(price)})`,
    period: { start: item.currentPeriodStart, end: item.currentPeriodEnd },
    priceId: price.id,
    productId: price.productId,
    quantity: item.quantity,
    isProration: false,
    subscriptionId: subscription.id,
    subscriptionItemId: item.id,
    metadata: subscription.metadata,
  }
}

/** A product's name for what people read on invoices. */
export function productName(store: Store, { productId }: PriceRecord): string {
  return store.of('product').find(productId)?.name ?? productId
}

function rateOf({ unitAmount, currency, recurring }: PriceRecord) {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  const money = format.format(unitAmount / 10 ** digits)
  if (!recurring) return money
  const { interval, intervalCount } = recurring
  return intervalCount === 1 ? `${money} / ${interval}` : `${money} / every ${intervalCount} ${interval}s`
}
