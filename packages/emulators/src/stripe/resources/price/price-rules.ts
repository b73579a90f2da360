import { invalid } from '../../protocol/errors.ts'
import type { World } from '../../store/store.ts'
import type { PriceRecord } from '../product/catalogue.record.ts'
import type { SubscriptionRecord } from '../subscription/subscription.record.ts'

/** Returns a price that a subscription can have. An archived price is accepted only if it is among the `kept`. */
export function requirePrice(
  world: World,
  id: string,
  param: string,
  kept: readonly string[] = [],
): PriceRecord {
  const price = world.of('price').get(id, param)
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
  world: World,
  { item }: SubscriptionRecord,
  { currency }: PriceRecord,
  param: string,
): void {
  const expected = world.of('price').get(item.priceId).currency
  if (currency === expected) return
  throw invalid(
    `The price specified supports currencies of \`${currency}\`. This doesn't match the expected currency: \`${expected}\`.`,
    { param },
  )
}

/** Returns how long the billing periods of a price are. */
export function recurringOf(world: World, priceId: string): NonNullable<PriceRecord['recurring']> {
  return world.of('price').get(priceId).recurring ?? { interval: 'month', intervalCount: 1 }
}

/** Whether two prices are billed in the same interval. */
export function isSameInterval(world: World, priceId: string, otherId: string): boolean {
  const [one, other] = [recurringOf(world, priceId), recurringOf(world, otherId)]
  return one.interval === other.interval && one.intervalCount === other.intervalCount
}
