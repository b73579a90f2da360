import { resourceMissing } from '../../protocol/errors.ts'
import type { World } from '../../store/store.ts'
import { endSubscription } from './end-subscription.ts'
import { hasEnded } from './running-subscriptions.ts'
import type { SubscriptionRecord } from './subscription.record.ts'

/** Ends a subscription at once. One that has ended is not found, as at Stripe. */
export function cancelSubscription(world: World, id: string, comment?: string): SubscriptionRecord {
  if (hasEnded(world.of('subscription').get(id))) throw resourceMissing('subscription', id)
  return endSubscription(world, id, 'cancellation_requested', comment)
}
