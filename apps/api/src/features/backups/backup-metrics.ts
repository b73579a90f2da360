import { z } from 'zod'
import type { DatabaseMetrics } from '#platform/database-metrics/database-metrics.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { queryRows } from '#platform/query-rows.ts'

type Deps = Pick<PlatformDeps, 'database'> & { databaseMetrics: DatabaseMetrics }

const rowSchema = z.object({ finishedAt: z.date().nullable() })

/** Exports when `tidings backup` was completed last. */
export function exportBackups({ databaseMetrics, database: { sql } }: Deps): void {
  const last = databaseMetrics.gauge({
    name: 'tidings_backup_last_success_timestamp_seconds',
    help: 'When tidings backup was completed last, in seconds since 1970; 0 if it never was',
  })
  databaseMetrics.fill('backups', [last], async () => {
    const [row] = await queryRows(sql, rowSchema)`SELECT max(finished_at) AS "finishedAt" FROM backup_record`
    return [{ gauge: last, value: (row?.finishedAt?.getTime() ?? 0) / 1000 }]
  })
}
