import { invalid, parameterMissing } from '../../protocol/errors.ts'
import { given } from '../../protocol/params.ts'
import type { SubscriptionItemRecord, SubscriptionRecord } from '../../records/subscription.ts'
import { requireOneKind, requirePrice } from '../../rules/price-rules.ts'
import type { World } from '../../world/world.ts'

/** An item to add (without `itemId`), to change, or to take away. */
export type ItemChange = {
  itemId?: string | undefined
  priceId?: string | undefined
  quantity?: number | undefined
  isDeleted?: boolean | undefined
  metadata?: Record<string, string> | undefined
}

/** What becomes of a subscription's items. */
export type ItemChanges = {
  items?: ItemChange[] | undefined
  /** Prices that were agreed on earlier and are good even if they are archived by now. */
  keptPrices?: { priceId: string }[] | undefined
}

/**
 * The items after a change, in the billing period of now. Prices that are archived are good if they are among the
 * subscription's or the `keptPrices`. Throws what Stripe throws for items that do not fit.
 */
export function changedItems(
  world: World,
  subscription: SubscriptionRecord,
  { items: changes = [], keptPrices: kept = [] }: ItemChanges,
  now: number,
): SubscriptionItemRecord[] {
  let items = subscription.items
  for (const [index, change] of changes.entries()) {
    const { priceId, itemId } = change
    const param = `items[${index}]`
    if (priceId !== undefined) {
      const { currency } = requirePrice(world, priceId, `${param}[price]`, [...items, ...kept])
      refuseOtherCurrency(world, subscription, currency, `${param}[price]`)
    }
    items =
      itemId === undefined
        ? [...items, addedItem(world, subscription, items, change, { param, now })]
        : withChange(items, itemId, change, param)
    if (items.length === 0) {
      throw invalid('A subscription must have at least one active item.', { param })
    }
  }
  requireOneKind(world, items)
  return items
}

function addedItem(
  world: World,
  { items: [first] }: SubscriptionRecord,
  items: SubscriptionItemRecord[],
  { priceId, quantity = 1, metadata = {} }: ItemChange,
  { param, now }: { param: string; now: number },
): SubscriptionItemRecord {
  if (priceId === undefined) throw parameterMissing(`${param}[price]`)
  if (items.some((item) => item.priceId === priceId)) {
    throw invalid(`Cannot add multiple subscription items with the same plan: ${priceId}`, { param })
  }
  return {
    id: world.newId('si'),
    created: now,
    metadata,
    priceId,
    quantity,
    currentPeriodStart: first?.currentPeriodStart ?? now,
    currentPeriodEnd: first?.currentPeriodEnd ?? now,
  }
}

function withChange(
  items: SubscriptionItemRecord[],
  itemId: string,
  { priceId, quantity, isDeleted, metadata = {} }: ItemChange,
  param: string,
): SubscriptionItemRecord[] {
  const found = items.find(({ id }) => id === itemId)
  if (!found) {
    throw invalid(`No such subscription_item: '${itemId}'`, {
      code: 'resource_missing',
      param: `${param}[id]`,
    })
  }
  if (isDeleted) return items.filter(({ id }) => id !== itemId)
  const changed = {
    ...found,
    priceId: given(priceId, found.priceId),
    quantity: given(quantity, found.quantity),
    metadata: { ...found.metadata, ...metadata },
  }
  return items.map((item) => (item.id === itemId ? changed : item))
}

function refuseOtherCurrency(
  world: World,
  { items: [first] }: SubscriptionRecord,
  currency: string,
  param: string,
) {
  const expected = first ? world.of('price').get(first.priceId).currency : currency
  if (currency === expected) return
  throw invalid(
    `The price specified supports currencies of \`${currency}\`. This doesn't match the expected currency: \`${expected}\`.`,
    { param },
  )
}
