import path from 'node:path'
import type { Config } from '../config/config.ts'
import { deliveryLedger } from '../features/delivery/index.ts'
import { createDrain } from '../http/connections/drain.ts'
import { createRateLimits } from '../http/limits/rate-limits.ts'
import { createGatePass } from '../http/sessions/gate-pass.ts'
import { createReaderSessions } from '../http/sessions/reader-session.ts'
import { createDatabaseAvailability } from '../platform/availability/database-availability.ts'
import { systemClock } from '../platform/clock.ts'
import { applicationNameOf } from '../platform/connection-budget.ts'
import { createDatabase, isDatabaseUnavailable } from '../platform/database.ts'
import { createDatabaseMetrics } from '../platform/database-metrics/database-metrics.ts'
import { createFailureLog } from '../platform/failure-log.ts'
import { randomIds } from '../platform/ids.ts'
import { createJobs } from '../platform/jobs/jobs.ts'
import { createLogger } from '../platform/logger.ts'
import { createMetrics } from '../platform/metrics.ts'
import { createCoalescedNotifications } from '../platform/notifications/coalesced-notifications.ts'
import { createNotifications } from '../platform/notifications/notifications.ts'
import { createSendingGuard } from '../platform/sending-guard/sending-guard.ts'
import type { ContextOverrides } from './overrides.ts'

/** How long metrics of the database are kept, however many scrape them. */
const metricsKeptMs = 5_000

export type Infrastructure = ReturnType<typeof createInfrastructure>

/** Creates the infrastructure of every feature. Nothing is connected yet. */
export function createInfrastructure(config: Config, processName: string, overrides: ContextOverrides) {
  const clock = overrides.clock ?? systemClock
  const ids = overrides.ids ?? randomIds
  const logger =
    overrides.logger ??
    createLogger({ level: config.logLevel, process: processName, hasNoStack: isDatabaseUnavailable })
  const metrics = createMetrics({ withProcess: config.environment !== 'test' })
  const { siteSecret, sitePassword } = config.secrets
  const { url, listenUrl, connections, waitSeconds } = config.database
  const applicationName = applicationNameOf(processName, randomIds.uuid())
  const notifications = createNotifications({ url, listenUrl, logger, applicationName })
  const coalesced = createCoalescedNotifications({
    send: notifications.sendAll,
    logger,
    intervalMs: overrides.notificationIntervalMs,
  })
  const database = createDatabase({ url, connections, waitSeconds, logger, applicationName })

  return {
    config,
    clock,
    ids,
    logger,
    failureLog: createFailureLog({ clock, logger }),
    drain: createDrain(),
    metrics,
    databaseMetrics: createDatabaseMetrics({
      metrics,
      clock,
      logger,
      keptMs: config.environment === 'test' ? 0 : metricsKeptMs,
    }),
    database,
    availability: createDatabaseAvailability({ url, applicationName, logger }),
    notifications,
    coalesced,
    jobs: createJobs({ url: listenUrl, logger, metrics, coalesced, applicationName }),
    sendingGuard: createSendingGuard({
      database,
      clock,
      ids,
      logger,
      folder: path.join(config.dataDir, 'sending'),
      site: { hostName: config.site.url.hostname, siteUrl: config.site.identity },
      ledgers: [deliveryLedger],
    }),
    rateLimits: createRateLimits({ pool: database.pool, limits: config.rateLimits, secret: siteSecret }),
    gatePass: createGatePass({
      on: config.gate.on,
      password: sitePassword,
      secret: siteSecret,
      clock,
      ids,
    }),
    readers: createReaderSessions(siteSecret),
  }
}
