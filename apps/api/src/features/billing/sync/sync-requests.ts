import type { Clock } from '#platform/clock.ts'
import type { Sql } from '#platform/database.ts'
import type { Jobs } from '#platform/jobs.ts'
import { syncCustomer } from '../billing.jobs.ts'
import { markSyncsRequested } from './sync-state.repository.ts'

export function createSyncRequests({ jobs, clock }: { jobs: Jobs; clock: Clock }) {
  /** Requests syncs in the caller's transaction; one job serves many requests. */
  return async (tx: Sql, customerIds: readonly string[]): Promise<void> => {
    const first = await markSyncsRequested(tx, customerIds, clock.now())
    await jobs.enqueueAll(
      tx,
      syncCustomer,
      first.map((customerId) => ({ customerId })),
    )
  }
}
