import type { DatabaseMetrics } from '#platform/database-metrics/database-metrics.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { readBackups } from './backups.repository.ts'

type Deps = Pick<PlatformDeps, 'database'> & { databaseMetrics: DatabaseMetrics }

/** Exports when `tidings backup` was completed last. */
export function exportBackups({ databaseMetrics, database: { sql } }: Deps): void {
  const last = databaseMetrics.gauge({
    name: 'tidings_backup_last_success_timestamp_seconds',
    help: 'When tidings backup was completed last, in seconds since 1970; 0 if it never was',
  })
  databaseMetrics.fill('backups', [last], async () => {
    const { lastAt } = await readBackups(sql)
    return [{ gauge: last, value: (lastAt?.getTime() ?? 0) / 1000 }]
  })
}
