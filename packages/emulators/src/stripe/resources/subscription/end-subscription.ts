import type { World } from '../../store/store.ts'
import { cancelSchedule } from '../subscription-schedule/put-schedule.ts'
import type { SubscriptionRecord } from './subscription.record.ts'
import { toWireSubscription } from './subscription.ts'

/** Ends a subscription for good. Its open invoices are no longer collected and its schedule is canceled. */
export function endSubscription(
  world: World,
  id: string,
  reason: NonNullable<SubscriptionRecord['cancellationReason']>,
  comment: string | null = null,
): SubscriptionRecord {
  const before = world.of('subscription').get(id)
  const now = world.now(before.testClockId)
  for (const invoice of world
    .of('invoice')
    .ofCustomer(before.customerId, (one) => one.subscriptionId === id)) {
    if (invoice.status !== 'open' && invoice.status !== 'draft') continue
    world.of('invoice').put({ ...invoice, autoAdvance: false, nextPaymentAttempt: null })
  }
  if (before.scheduleId) cancelSchedule(world, before.scheduleId)
  const subscription = world.of('subscription').put({
    ...before,
    status: 'canceled',
    endedAt: now,
    canceledAt: before.canceledAt ?? now,
    cancellationComment: comment,
    cancellationReason: before.cancellationReason ?? reason,
  })
  world.emit('customer.subscription.deleted', toWireSubscription(world, subscription), {
    testClockId: subscription.testClockId,
  })
  return subscription
}
