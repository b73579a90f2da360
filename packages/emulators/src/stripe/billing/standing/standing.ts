import type { InvoiceRecord } from '../../records/invoice.ts'
import type { SubscriptionRecord } from '../../records/subscription.ts'
import { toWireSubscription } from '../../wire/subscription.ts'
import type { World } from '../../world/world.ts'
import { endSubscription } from './end-subscription.ts'
import { updateSubscription } from './put-subscription.ts'

// What payments, and those that fail, make of a subscription.

/** An invoice that was not paid makes a running subscription past due. One that never ran stays incomplete. */
export function updateStanding(world: World, { subscriptionId, id }: InvoiceRecord): void {
  if (!subscriptionId) return
  const { status, pendingUpdate } = world.of('subscription').get(subscriptionId)
  // A change that waits for its payment leaves the subscription as it was.
  if (pendingUpdate?.invoiceId === id) return
  if (status === 'active' || status === 'trialing')
    updateSubscription(world, subscriptionId, { status: 'past_due' })
}

/** After the last retry a subscription that is still past due comes to the end that was decided on. */
export function finishRetries(world: World, { subscriptionId, id }: InvoiceRecord): void {
  const subscription = subscriptionId ? world.of('subscription').get(subscriptionId) : undefined
  if (subscription?.status !== 'past_due') return
  const end = world.afterLastRetry
  if (end === 'cancel') endSubscription(world, subscription.id, { reason: 'payment_failed' })
  if (end === 'unpaid') {
    world.of('invoice').put({ ...world.of('invoice').get(id), autoAdvance: false })
    updateSubscription(world, subscription.id, { status: 'unpaid' })
  }
}

/** What a paid invoice does for its subscription. */
export function settle(world: World, { subscriptionId, id }: InvoiceRecord): void {
  if (!subscriptionId) return
  const subscription = world.of('subscription').get(subscriptionId)
  const { pendingUpdate } = subscription
  if (pendingUpdate?.invoiceId === id) {
    applyPendingUpdate(world, subscription, pendingUpdate)
    return
  }
  if (isMadeActive(subscription, id)) updateSubscription(world, subscriptionId, { status: 'active' })
}

function applyPendingUpdate(
  world: World,
  { id, status, cancelAt, cancelAtPeriodEnd, testClockId }: SubscriptionRecord,
  { invoiceId, expiresAt: _expiresAt, ...billed }: NonNullable<SubscriptionRecord['pendingUpdate']>,
) {
  const isTrialOver = billed.trialEnd === null || billed.trialEnd <= world.now(testClockId)
  const standing = isTrialOver ? (status === 'trialing' ? 'active' : status) : 'trialing'
  const ends = billed.items.map(({ currentPeriodEnd }) => currentPeriodEnd)
  const updated = updateSubscription(world, id, {
    ...billed,
    status: standing,
    cancelAt: cancelAtPeriodEnd ? Math.max(...ends) : cancelAt,
    pendingUpdate: null,
    latestInvoiceId: invoiceId,
  })
  world.emit('customer.subscription.pending_update_applied', toWireSubscription(world, updated), {
    testClockId,
  })
}

/** The card of a first payment becomes the subscription's own, if that was asked for. */
export function keepCard(
  world: World,
  { subscriptionId }: InvoiceRecord,
  defaultPaymentMethodId: string,
): void {
  const subscription = subscriptionId ? world.of('subscription').get(subscriptionId) : undefined
  if (!subscription?.savesDefaultPaymentMethod || subscription.defaultPaymentMethodId) return
  updateSubscription(world, subscription.id, { defaultPaymentMethodId })
}

/** The newest invoice decides; older ones that stay open do not hold a subscription back. */
function isMadeActive({ status, latestInvoiceId }: SubscriptionRecord, paidInvoiceId: string) {
  if (status === 'incomplete') return true
  return (status === 'past_due' || status === 'unpaid') && latestInvoiceId === paidInvoiceId
}
