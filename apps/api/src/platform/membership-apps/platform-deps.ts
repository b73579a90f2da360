import type { Invalidation } from '../cache/invalidation.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../database.ts'
import type { Ids } from '../ids.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Logger } from '../logger.ts'
import type { Metrics } from '../metrics.ts'
import type { Notifications } from '../notifications/notifications.ts'
import type { MembershipApps } from './membership-apps.ts'

/** The parts of the platform that features use; each service picks those that it needs. */
export type PlatformDeps = {
  database: Database
  jobs: Jobs
  notifications: Notifications
  invalidation: Invalidation
  apps: MembershipApps
  clock: Clock
  ids: Ids
  logger: Logger
  metrics: Metrics
}
