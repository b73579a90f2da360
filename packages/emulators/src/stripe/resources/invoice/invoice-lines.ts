import type { Store } from '../../store/store.ts'
import type { SubscriptionItemRecord, SubscriptionRecord } from '../subscription/subscription.record.ts'
import { activeDiscounts, amountOf, netOf, withDiscounts } from './amounts.ts'
import type { InvoiceLineRecord, InvoiceRecord } from './invoice.record.ts'
import { periodLine, productName } from './lines.ts'

/** The share of `amount` that falls between `from` and the period's end, rounded to minor units. */
export function shareOf(amount: number, period: { start: number; end: number }, from: number): number {
  const length = period.end - period.start
  if (length <= 0) return 0
  const left = Math.min(length, Math.max(0, period.end - from))
  return Math.round((amount * left) / length)
}

/** What was paid for the rest of an item's period and is given back: a negative line; undefined when nothing was. */
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

/** What the rest of an item's period costs, its discounts included. */
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
 * What an item's period was charged and from when: the newest line that covers its rest. Without one, its price with
 * the discounts of now.
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
  const active = activeDiscounts(store, subscription.discounts, at)
  const whole = { ...periodLine(store, subscription, item), amount: amountOf(price, item.quantity) }
  return withDiscounts([whole], price.currency, active).reduce((sum, line) => sum + netOf(line), 0)
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
