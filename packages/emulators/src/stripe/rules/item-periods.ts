import type { SubscriptionItemRecord, SubscriptionRecord } from '../records/subscription.ts'
import type { World } from '../world/world.ts'
import { nextPeriodEnd } from './periods.ts'
import { recurringOf } from './price-rules.ts'
import { itemsAtPeriodEnd } from './schedule-phases.ts'

/** The items in the billing period that begins at `at`, with what a schedule has made of them by then. */
export function nextPeriodItems(
  world: World,
  subscription: SubscriptionRecord,
  at: number,
): { items: SubscriptionItemRecord[]; billingCycleAnchor: number } {
  const { items, billingCycleAnchor } = itemsAtPeriodEnd(world, subscription, at)
  const end = nextPeriodEnd(billingCycleAnchor, at, recurringOf(world, items))
  return {
    billingCycleAnchor,
    items: items.map((item) => ({ ...item, currentPeriodStart: at, currentPeriodEnd: end })),
  }
}

/** When the first of the items' periods ends. */
export function periodEndOf(items: SubscriptionItemRecord[]): number {
  return Math.min(...items.map(({ currentPeriodEnd }) => currentPeriodEnd))
}

/** When the first of the items' periods began. */
export function periodStartOf(items: SubscriptionItemRecord[]): number {
  return Math.min(...items.map(({ currentPeriodStart }) => currentPeriodStart))
}
