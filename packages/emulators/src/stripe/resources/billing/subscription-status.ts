import { resourceMissing } from '../../protocol/errors.ts'
import type { Store } from '../../store/store.ts'
import type { InvoiceRecord } from './invoice.ts'
import { hasEnded, type SubscriptionRecord, toWireSubscription, updateSubscription } from './subscription.ts'
import { cancelSchedule } from './subscription-schedule.ts'

/** Marks a running subscription past due. An incomplete one stays incomplete. */
export function markPastDue(store: Store, { subscriptionId }: InvoiceRecord): void {
  const { status } = store.of('subscription').get(subscriptionId)
  if (status === 'active' || status === 'trialing')
    updateSubscription(store, subscriptionId, { status: 'past_due' })
}

/** Ends a past-due subscription after the last retry, as `afterLastRetry` says. */
export function applyLastRetryPolicy(store: Store, { subscriptionId, id }: InvoiceRecord): void {
  if (store.of('subscription').get(subscriptionId).status !== 'past_due') return
  const end = store.afterLastRetry
  if (end === 'cancel') endSubscription(store, subscriptionId, 'payment_failed')
  if (end === 'unpaid') {
    store.of('invoice').put({ ...store.of('invoice').get(id), autoAdvance: false })
    updateSubscription(store, subscriptionId, { status: 'unpaid' })
  }
}

/** Activates the subscription of a paid invoice. */
export function applyPayment(store: Store, { subscriptionId, id }: InvoiceRecord): void {
  if (isMadeActive(store, store.of('subscription').get(subscriptionId), id))
    updateSubscription(store, subscriptionId, { status: 'active' })
}

/** The latest finalized invoice decides about a past-due subscription. Older open ones don't count. */
function isMadeActive(store: Store, subscription: SubscriptionRecord, paidInvoiceId: string) {
  const { id, status, customerId, latestInvoiceId } = subscription
  if (status === 'incomplete') return true
  if (status === 'unpaid') return latestInvoiceId === paidInvoiceId
  if (status !== 'past_due') return false
  const isFinalized = (one: InvoiceRecord) => one.subscriptionId === id && one.finalizedAt !== null
  const [latest] = store
    .of('invoice')
    .ofCustomer(customerId, isFinalized)
    .toSorted((one, other) => (other.finalizedAt ?? 0) - (one.finalizedAt ?? 0))
  return latest?.id === paidInvoiceId
}

/**
 * Ends a subscription, stops collecting its finalized invoices and cancels its schedule. A draft is still finalized and
 * charged, as at Stripe (https://docs.stripe.com/api/subscriptions/cancel).
 */
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
    if (invoice.status !== 'open') continue
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

/** Cancels a subscription at once. An ended one is not found, as at Stripe. */
export function cancelSubscription(store: Store, id: string, comment?: string): SubscriptionRecord {
  if (hasEnded(store.of('subscription').get(id))) throw resourceMissing('subscription', id)
  return endSubscription(store, id, 'cancellation_requested', comment)
}
