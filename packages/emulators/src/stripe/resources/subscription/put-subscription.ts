import { emitChange } from '../../store/emit-change.ts'
import type { Store } from '../../store/store.ts'
import type { SubscriptionRecord } from './subscription.record.ts'
import { toWireSubscription } from './subscription.ts'

/** Puts the subscription with these fields changed, and tells of it if that shows on the wire. */
export function updateSubscription(
  store: Store,
  id: string,
  patch: Partial<SubscriptionRecord>,
): SubscriptionRecord {
  const before = store.of('subscription').get(id)
  const earlier = toWireSubscription(store, before)
  const subscription = store.of('subscription').put({ ...before, ...patch })
  emitChange(
    store,
    'customer.subscription.updated',
    earlier,
    toWireSubscription(store, subscription),
    subscription.testClockId,
  )
  return subscription
}
