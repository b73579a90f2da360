import type { World } from '../../store/store.ts'
import type { InvoiceRecord } from '../invoice/invoice.record.ts'
import { endSubscription } from './end-subscription.ts'
import { updateSubscription } from './put-subscription.ts'
import type { SubscriptionRecord } from './subscription.record.ts'

// What payments, and those that fail, make of a subscription.

/** An invoice that was not paid makes a running subscription past due. One that never ran stays incomplete. */
export function updateStanding(world: World, { subscriptionId }: InvoiceRecord): void {
  const { status } = world.of('subscription').get(subscriptionId)
  if (status === 'active' || status === 'trialing')
    updateSubscription(world, subscriptionId, { status: 'past_due' })
}

/** After the last retry a subscription that is still past due is canceled, or as `afterLastRetry` has it. */
export function finishRetries(world: World, { subscriptionId, id }: InvoiceRecord): void {
  if (world.of('subscription').get(subscriptionId).status !== 'past_due') return
  const end = world.afterLastRetry
  if (end === 'cancel') endSubscription(world, subscriptionId, 'payment_failed')
  if (end === 'unpaid') {
    world.of('invoice').put({ ...world.of('invoice').get(id), autoAdvance: false })
    updateSubscription(world, subscriptionId, { status: 'unpaid' })
  }
}

/** What a paid invoice does for its subscription. */
export function settle(world: World, { subscriptionId, id }: InvoiceRecord): void {
  if (isMadeActive(world.of('subscription').get(subscriptionId), id))
    updateSubscription(world, subscriptionId, { status: 'active' })
}

/** The newest invoice decides; older ones that stay open do not hold a subscription back. */
function isMadeActive({ status, latestInvoiceId }: SubscriptionRecord, paidInvoiceId: string) {
  if (status === 'incomplete') return true
  return (status === 'past_due' || status === 'unpaid') && latestInvoiceId === paidInvoiceId
}
