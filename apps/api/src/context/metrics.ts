import { exportBackups } from '../features/backups/index.ts'
import { exportPayments } from '../features/billing/index.ts'
import { exportDeliveries, exportRefusals } from '../features/delivery/index.ts'
import { exportEditions } from '../features/editions/index.ts'
import { exportOutbox } from '../features/mail/index.ts'
import { exportProcess } from '../features/ops/index.ts'
import { exportJobs } from '../platform/database-metrics/job-metrics.ts'
import { exportPool } from '../platform/database-metrics/pool-metrics.ts'
import type { Infrastructure } from './infrastructure.ts'

/** Exports what every process says about itself and about the database. */
export function exportMetrics(deps: Infrastructure): void {
  const { config, metrics, database } = deps
  const { build, dataDir, metricsToken } = config
  exportProcess({ metrics, dataDir, build })
  exportPool(metrics, database.pool)
  exportJobs(deps)
  exportEditions({ ...deps, ...config.site })
  exportDeliveries(deps)
  exportRefusals({ ...deps, metricsToken })
  exportOutbox(deps)
  exportBackups(deps)
  exportPayments(deps)
}
