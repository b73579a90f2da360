import type { Store } from '../../store/store.ts'
import type { SubscriptionRecord } from './subscription.record.ts'

/** Whether a subscription is over for good: canceled, or never paid for in time. */
export function hasEnded({ status }: Pick<SubscriptionRecord, 'status'>): boolean {
  return status === 'canceled' || status === 'incomplete_expired'
}

/** The subscriptions of a customer that have not ended, the newest first. */
export function runningSubscriptions(store: Store, customerId: string): SubscriptionRecord[] {
  return store.of('subscription').ofCustomer(customerId, (subscription) => !hasEnded(subscription))
}
