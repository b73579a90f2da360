import type { BillingDeps } from '../billing.deps.ts'
import { findCustomer } from '../customers/customers.repository.ts'
import { createSyncRequests } from '../sync/subscription-sync.service.ts'

type Deps = Pick<BillingDeps, 'database' | 'jobs' | 'clock'>

/** The least time between two syncs of a member with an open checkout. */
const throttleMs = 5_000

export function createSyncAfterCheckout(deps: Deps) {
  const { database, clock } = deps
  const requestSyncs = createSyncRequests(deps)

  /** Starts a sync for a member with an open checkout; returns whether one is open (then: do not cache). */
  return async ({ stripeCustomerId }: { stripeCustomerId: string | null }): Promise<boolean> => {
    const customer = stripeCustomerId === null ? null : await findCustomer(database.db, stripeCustomerId)
    const now = clock.now().getTime()
    if (customer === null || (customer.checkoutOpenUntil?.getTime() ?? 0) <= now) return false
    const syncedAt = customer.syncedAt?.getTime() ?? 0
    if (syncedAt <= now - throttleMs) await database.transaction((tx) => requestSyncs(tx, [customer.id]))
    return true
  }
}
