import { emitChange } from '../../store/emit-change.ts'
import type { World } from '../../store/store.ts'
import type { SubscriptionRecord } from './subscription.record.ts'
import { toWireSubscription } from './subscription.ts'

/** Puts the subscription with these fields changed, and tells of it if that shows on the wire. */
export function updateSubscription(
  world: World,
  id: string,
  patch: Partial<SubscriptionRecord>,
): SubscriptionRecord {
  const before = world.of('subscription').get(id)
  const earlier = toWireSubscription(world, before)
  const subscription = world.of('subscription').put({ ...before, ...patch })
  emitChange(
    world,
    'customer.subscription.updated',
    earlier,
    toWireSubscription(world, subscription),
    subscription.testClockId,
  )
  return subscription
}
