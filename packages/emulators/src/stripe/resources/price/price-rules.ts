import { invalid } from '../../protocol/errors.ts'
import type { Store } from '../../store/store.ts'
import type { PriceRecord } from '../product/catalogue.record.ts'
import type { SubscriptionRecord } from '../subscription/subscription.record.ts'

/** Returns a price that a subscription can have. An archived price is accepted only if it is among the `kept`. */
export function requirePrice(
  store: Store,
  id: string,
  param: string,
  kept: readonly string[] = [],
): PriceRecord {
  const price = store.of('price').get(id, param)
  if (!price.active && !kept.includes(id)) {
    throw invalid('The price specified is inactive. This field only accepts active prices.', { param })
  }
  if (!price.recurring) {
    throw invalid(
      `The price specified is set to \`type=one_time\` but this field only accepts prices with \`type=recurring\`.`,
      { param },
    )
  }
  return price
}

/** Throws for a price in another currency than the subscription's. */
export function requireSameCurrency(
  store: Store,
  { item }: SubscriptionRecord,
  { currency }: PriceRecord,
  param: string,
): void {
  const expected = store.of('price').get(item.priceId).currency
  if (currency === expected) return
  throw invalid(
    `The price specified supports currencies of \`${currency}\`. This doesn't match the expected currency: \`${expected}\`.`,
    { param },
  )
}

/** Returns how long the billing periods of a price are. */
export function recurringOf(store: Store, priceId: string): NonNullable<PriceRecord['recurring']> {
  return store.of('price').get(priceId).recurring ?? { interval: 'month', intervalCount: 1 }
}

/** Whether two prices are billed in the same interval. */
export function isSameInterval(store: Store, priceId: string, otherId: string): boolean {
  const [one, other] = [recurringOf(store, priceId), recurringOf(store, otherId)]
  return one.interval === other.interval && one.intervalCount === other.intervalCount
}
