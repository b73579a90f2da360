import { z } from 'zod'
import type { Sql } from '#platform/database.ts'
import { type DatabaseMetrics, secondsSince } from '#platform/database-metrics/database-metrics.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { queryRows } from '#platform/query-rows.ts'

type Deps = Pick<PlatformDeps, 'database'> & { databaseMetrics: DatabaseMetrics }

/** Exports what of payments waits for a worker or for a person. */
export function exportPayments({ databaseMetrics, database }: Deps): void {
  const refunds = databaseMetrics.gauge({
    name: 'tidings_payment_refunds_waiting',
    help: 'Refunds that a person has to make: failed ones, and manual ones while AUTOMATIC_REFUNDS is off',
    labelNames: ['status'],
  })
  const oldestEvent = databaseMetrics.gauge({
    name: 'tidings_payment_oldest_unprocessed_event_seconds',
    help: 'How long the oldest Stripe event, or another request for a sync, has been waiting; 0 if none waits',
  })
  databaseMetrics.fill('payments', [refunds, oldestEvent], async (now) => {
    const { failed, manual, requestedAt } = await countWaitingPayments(database.sql)
    return [
      { gauge: refunds, labels: { status: 'failed' }, value: failed },
      { gauge: refunds, labels: { status: 'manual' }, value: manual },
      { gauge: oldestEvent, value: secondsSince(requestedAt, now) },
    ]
  })
}

const waitingRowSchema = z.object({ failed: z.int(), manual: z.int(), requestedAt: z.date().nullable() })

/** Reads the index of pending syncs, and the refunds, which are few. */
export async function countWaitingPayments(sql: Sql): Promise<z.infer<typeof waitingRowSchema>> {
  const [row] = await queryRows(sql, waitingRowSchema)`
    SELECT count(*) FILTER (WHERE status = 'FAILED')::int AS failed,
      count(*) FILTER (WHERE status = 'MANUAL')::int AS manual,
      (SELECT min(sync_requested_at) FROM payment_customer WHERE sync_requested_at IS NOT NULL) AS "requestedAt"
    FROM payment_refund WHERE status IN ('FAILED', 'MANUAL')`
  if (row === undefined) throw new Error('The counts of payments have no row.')
  return row
}
