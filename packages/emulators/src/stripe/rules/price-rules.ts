import { invalid } from '../protocol/errors.ts'
import type { PriceRecord } from '../records/catalogue.ts'
import type { World } from '../world/world.ts'

/** A price that a subscription may have. One that is archived can stay where it is: then it is among the `kept`. */
export function requirePrice(
  world: World,
  id: string,
  param: string,
  kept: readonly { priceId: string }[] = [],
): PriceRecord {
  const price = world.of('price').get(id, param)
  if (!price.active && !kept.some(({ priceId }) => priceId === id)) {
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

/** The items of a subscription share one interval and one currency. */
export function requireOneKind(world: World, items: { priceId: string }[]): void {
  const [first, ...rest] = items.map(({ priceId }) => world.of('price').get(priceId))
  for (const price of rest) {
    if (price.currency !== first?.currency || !isSameInterval(price.recurring, first.recurring)) {
      throw invalid('Currency and interval fields must match across all plans on this subscription.', {
        param: 'items',
      })
    }
  }
}

/** What a subscription has one after the other is paid in one currency. */
export function requireOneCurrency(world: World, items: { priceId: string }[], param: string): void {
  const currencies = new Set(items.map(({ priceId }) => world.of('price').get(priceId).currency))
  if (currencies.size < 2) return
  throw invalid('All prices on a subscription must have the same currency.', { param })
}

/** How long the billing periods of these items are. */
export function recurringOf(
  world: World,
  items: { priceId: string }[],
): NonNullable<PriceRecord['recurring']> {
  const [first] = items
  const recurring = first ? world.of('price').get(first.priceId).recurring : null
  return recurring ?? { interval: 'month', intervalCount: 1 }
}

export function isSameInterval(one: PriceRecord['recurring'], other: PriceRecord['recurring']): boolean {
  return one?.interval === other?.interval && one?.intervalCount === other?.intervalCount
}
