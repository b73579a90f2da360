import { emitChange } from '../../events/emit-change.ts'
import type { DiscountRecord } from '../../records/catalogue.ts'
import type { SubscriptionRecord } from '../../records/subscription.ts'
import { toWireDiscount } from '../../wire/discount.ts'
import { toWireSubscription } from '../../wire/subscription.ts'
import type { World } from '../../world/world.ts'

/** Puts the subscription with these fields changed, and tells of it if that shows on the wire. */
export function updateSubscription(
  world: World,
  id: string,
  patch: Partial<SubscriptionRecord>,
  type = 'customer.subscription.updated',
): SubscriptionRecord {
  const before = world.of('subscription').get(id)
  const earlier = toWireSubscription(world, before)
  const subscription = world.of('subscription').put({ ...before, ...patch })
  emitChange(world, type, earlier, toWireSubscription(world, subscription), subscription.testClockId)
  tellOfDiscounts(world, before, subscription)
  return subscription
}

/** Tells of the discounts that came and of those that went. */
export function tellOfDiscounts(
  world: World,
  before: Pick<SubscriptionRecord, 'discounts'>,
  { id, customerId, discounts, testClockId }: SubscriptionRecord,
): void {
  const tell = (type: string, some: DiscountRecord[], others: DiscountRecord[]) => {
    for (const discount of some.filter((one) => !others.some((other) => other.id === one.id))) {
      const wire = toWireDiscount(world, discount, { customerId, subscriptionId: id })
      world.emit(type, wire, { testClockId })
    }
  }
  tell('customer.discount.deleted', before.discounts, discounts)
  tell('customer.discount.created', discounts, before.discounts)
}
