import { resourceMissing } from '../../protocol/errors.ts'
import type { Store } from '../../store/store.ts'
import type { InvoiceRecord } from '../invoice/invoice.ts'
import { cancelSchedule } from '../subscription-schedule/subscription-schedule.ts'
import { hasEnded, type SubscriptionRecord, toWireSubscription, updateSubscription } from './subscription.ts'

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
  if (isMadeActive(store.of('subscription').get(subscriptionId), id))
    updateSubscription(store, subscriptionId, { status: 'active' })
}

/** The latest invoice decides. Older open ones don't count. */
function isMadeActive({ status, latestInvoiceId }: SubscriptionRecord, paidInvoiceId: string) {
  if (status === 'incomplete') return true
  return (status === 'past_due' || status === 'unpaid') && latestInvoiceId === paidInvoiceId
}

/** Ends a subscription, stops collecting its invoices and cancels its schedule. */
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

/** Cancels a subscription at once. An ended one is not found, as at Stripe. */
export function cancelSubscription(store: Store, id: string, comment?: string): SubscriptionRecord {
  if (hasEnded(store.of('subscription').get(id))) throw resourceMissing('subscription', id)
  return endSubscription(store, id, 'cancellation_requested', comment)
}
