import type { Store } from '../../store/store.ts'
import type { InvoiceRecord } from '../invoice/invoice.record.ts'
import { endSubscription } from './end-subscription.ts'
import { updateSubscription } from './put-subscription.ts'
import type { SubscriptionRecord } from './subscription.record.ts'

// What payments, and those that fail, make of a subscription.

/** An invoice that was not paid makes a running subscription past due. One that never ran stays incomplete. */
export function markPastDue(store: Store, { subscriptionId }: InvoiceRecord): void {
  const { status } = store.of('subscription').get(subscriptionId)
  if (status === 'active' || status === 'trialing')
    updateSubscription(store, subscriptionId, { status: 'past_due' })
}

/** After the last retry a subscription that is still past due is canceled, or as `afterLastRetry` has it. */
export function applyLastRetryPolicy(store: Store, { subscriptionId, id }: InvoiceRecord): void {
  if (store.of('subscription').get(subscriptionId).status !== 'past_due') return
  const end = store.afterLastRetry
  if (end === 'cancel') endSubscription(store, subscriptionId, 'payment_failed')
  if (end === 'unpaid') {
    store.of('invoice').put({ ...store.of('invoice').get(id), autoAdvance: false })
    updateSubscription(store, subscriptionId, { status: 'unpaid' })
  }
}

/** What a paid invoice does for its subscription. */
export function applyPayment(store: Store, { subscriptionId, id }: InvoiceRecord): void {
  if (isMadeActive(store.of('subscription').get(subscriptionId), id))
    updateSubscription(store, subscriptionId, { status: 'active' })
}

/** The newest invoice decides; older ones that stay open do not hold a subscription back. */
function isMadeActive({ status, latestInvoiceId }: SubscriptionRecord, paidInvoiceId: string) {
  if (status === 'incomplete') return true
  return (status === 'past_due' || status === 'unpaid') && latestInvoiceId === paidInvoiceId
}
