import type { SubscriptionRecord } from '../../records/subscription.ts'
import { toWireSubscription } from '../../wire/subscription.ts'
import type { World } from '../../world/world.ts'
import { cancelScheduleAlone } from './put-schedule.ts'

/**
 * Ends a subscription for good: `customer.subscription.deleted`. Its open invoices are no longer collected by
 * themselves and its schedule is cancelled. `reason` is Stripe's: `cancellation_requested`, `payment_failed`.
 */
export function endSubscription(
  world: World,
  id: string,
  { reason, comment, feedback }: { reason: string; comment?: string | null; feedback?: string | null },
): SubscriptionRecord {
  const before = world.of('subscription').get(id)
  const now = world.now(before.testClockId)
  for (const invoice of world
    .of('invoice')
    .ofCustomer(before.customerId, (one) => one.subscriptionId === id)) {
    if (invoice.status !== 'open' && invoice.status !== 'draft') continue
    world.of('invoice').put({ ...invoice, autoAdvance: false, nextPaymentAttempt: null })
  }
  if (before.scheduleId) cancelScheduleAlone(world, before.scheduleId)
  const subscription = world.of('subscription').put({
    ...before,
    status: 'canceled',
    endedAt: now,
    canceledAt: before.canceledAt ?? now,
    cancellation: {
      comment: comment ?? before.cancellation.comment,
      feedback: feedback ?? before.cancellation.feedback,
      reason: before.cancellation.reason ?? reason,
    },
    pendingUpdate: null,
  })
  world.emit('customer.subscription.deleted', toWireSubscription(world, subscription), {
    testClockId: subscription.testClockId,
  })
  return subscription
}
