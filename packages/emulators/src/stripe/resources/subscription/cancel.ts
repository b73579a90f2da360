import { resourceMissing } from '../../protocol/errors.ts'
import type { Store } from '../../store/store.ts'
import { endSubscription } from './end-subscription.ts'
import { hasEnded } from './running-subscriptions.ts'
import type { SubscriptionRecord } from './subscription.record.ts'

/** Ends a subscription at once. One that has ended is not found, as at Stripe. */
export function cancelSubscription(store: Store, id: string, comment?: string): SubscriptionRecord {
  if (hasEnded(store.of('subscription').get(id))) throw resourceMissing('subscription', id)
  return endSubscription(store, id, 'cancellation_requested', comment)
}
