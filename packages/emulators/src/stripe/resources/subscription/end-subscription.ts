import type { Store } from '../../store/store.ts'
import { cancelSchedule } from '../subscription-schedule/put-schedule.ts'
import type { SubscriptionRecord } from './subscription.record.ts'
import { toWireSubscription } from './subscription.ts'

/** Ends a subscription for good. Its open invoices are no longer collected and its schedule is canceled. */
export function endSubscription(
  store: Store,
  id: string,
  reason: NonNullable<SubscriptionRecord['cancellationReason']>,
  comment: string | null = null,
): SubscriptionRecord {
  const before = store.of('subscription').get(id)
  const now = store.now(before.testClockId)
  for (const invoice of store
    .of('invoice')
    .ofCustomer(before.customerId, (one) => one.subscriptionId === id)) {
    if (invoice.status !== 'open' && invoice.status !== 'draft') continue
    store.of('invoice').put({ ...invoice, autoAdvance: false, nextPaymentAttempt: null })
  }
  if (before.scheduleId) cancelSchedule(store, before.scheduleId)
  const subscription = store.of('subscription').put({
    ...before,
    status: 'canceled',
    endedAt: now,
    canceledAt: before.canceledAt ?? now,
    cancellationComment: comment,
    cancellationReason: before.cancellationReason ?? reason,
  })
  store.emit('customer.subscription.deleted', toWireSubscription(store, subscription), {
    testClockId: subscription.testClockId,
  })
  return subscription
}
