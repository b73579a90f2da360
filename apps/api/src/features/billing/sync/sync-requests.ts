import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/database.ts'
import type { Jobs } from '#platform/jobs.ts'
import { syncCustomer } from '../billing.jobs.ts'
import { markSyncsRequested } from './sync-state.repository.ts'

/** Asks, in the caller's transaction, for customers to be synced; one job serves many requests. */
export type RequestSyncs = (tx: Db, customerIds: readonly string[]) => Promise<void>

export function createSyncRequests({ jobs, clock }: { jobs: Jobs; clock: Clock }): RequestSyncs {
  return async (tx, customerIds) => {
    const first = await markSyncsRequested(tx, customerIds, clock.now())
    for (const customerId of first) await jobs.enqueue(tx, syncCustomer, { customerId })
  }
}
