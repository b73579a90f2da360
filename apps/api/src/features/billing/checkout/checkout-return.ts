import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/database.ts'
import type { Jobs } from '#platform/jobs.ts'
import { findCustomer } from '../customers/customers.repository.ts'
import { createSyncRequests } from '../sync/sync-requests.ts'

/** At most one sync in this time for a member who reads their record while a checkout is open. */
const pauseMs = 5_000

/**
 * Starts a sync when a member with an open checkout reads their record, which every client does after the payment page
 * has led back. Returns whether a checkout is open: until it is known to be paid, the record must not be cached.
 */
export type SyncAfterCheckout = (member: { stripeCustomerId: string | null }) => Promise<boolean>

export function createSyncAfterCheckout(deps: {
  database: Database
  jobs: Jobs
  clock: Clock
}): SyncAfterCheckout {
  const { database, clock } = deps
  const requestSyncs = createSyncRequests(deps)

  return async ({ stripeCustomerId }) => {
    const customer = stripeCustomerId === null ? null : await findCustomer(database.db, stripeCustomerId)
    const now = clock.now().getTime()
    if (customer === null || (customer.checkoutUntil?.getTime() ?? 0) <= now) return false
    const syncedAt = customer.readAt?.getTime() ?? 0
    if (syncedAt <= now - pauseMs) await database.transaction((tx) => requestSyncs(tx, [customer.id]))
    return true
  }
}
