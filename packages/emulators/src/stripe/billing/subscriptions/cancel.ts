import { resourceMissing } from '../../protocol/errors.ts'
import type { SubscriptionRecord } from '../../records/subscription.ts'
import { hasEnded } from '../../rules/running-subscriptions.ts'
import type { World } from '../../world/world.ts'
import { endSubscription } from '../standing/end-subscription.ts'

/** Ends a subscription at once. One that has ended is not found, as at Stripe. */
export function cancelSubscription(world: World, id: string, comment?: string): SubscriptionRecord {
  if (hasEnded(world.of('subscription').get(id))) throw resourceMissing('subscription', id)
  return endSubscription(world, id, 'cancellation_requested', comment)
}
