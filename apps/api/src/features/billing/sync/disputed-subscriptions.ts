import type { BillingDeps } from '../billing.deps.ts'
import { findCustomer } from '../customers/customers.repository.ts'
import { readOwnSales } from '../prices/prices.repository.ts'
import { isRunning, type SyncChange } from './plan-connections.ts'

type Deps = Pick<BillingDeps, 'database' | 'gateway' | 'logger'>

/** Returns the function that cancels disputed subscriptions. */
export function createDisputeCancellation(
  { database, gateway, logger }: Deps,
  sync: (customerId: string) => Promise<SyncChange[]>,
) {
  /** Cancels the subscription of an open or lost dispute and syncs its customer. Keeps later subscriptions. Idempotent. */
  return async function cancelDisputed(disputeId: string): Promise<SyncChange[]> {
    const disputed = await gateway.findDisputed(disputeId)
    const customer = disputed && (await findCustomer(database.db, disputed.customerId))
    if (customer === null) return []
    const invoice = disputed && (await gateway.findPaidInvoice(disputed.paymentId))
    const own = await readOwnSales(database.db, [customer.appId])
    const subscriptions = await gateway.listSubscriptions(customer.id, own)
    const subscription = subscriptions.find(({ id }) => id === invoice?.subscriptionId)
    if (subscription === undefined) return []
    const { id: subscriptionId } = subscription
    if (subscription.isShared) {
      logger.error({ subscriptionId, disputeId }, 'disputed subscription has other items')
    } else if (isRunning(subscription)) {
      await gateway.cancelSubscription(subscriptionId, 'payment_disputed')
      logger.warn({ subscriptionId, disputeId }, 'disputed subscription canceled')
    }
    return await sync(customer.id)
  }
}
