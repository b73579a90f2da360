import { constants, getPriority, setPriority } from 'node:os'
import { readConfig } from './config/config.ts'
import { processSettings } from './config/env.ts'
import { createContext } from './context.ts'
import { checkMailServers } from './features/mail/index.ts'
import { createHeartbeat, heartbeatFileOf } from './features/ops/index.ts'
import { registerJobs } from './jobs.ts'
import { locationsFrom } from './locations.ts'
import { closeGracefully, failToStart } from './process-lifetime.ts'
import { buildWorkerServer, serveWorkerMetrics } from './worker-server.ts'

/** Runs the job process, which serves only its metrics. It also receives bounces. */
async function main(): Promise<void> {
  // Where it shares processors with the HTTP process, readers come first. Only root may raise a lower priority.
  const priority = constants.priority.PRIORITY_BELOW_NORMAL
  if (getPriority() < priority) setPriority(priority)
  const config = readConfig(processSettings(), locationsFrom(import.meta.url))
  const context = createContext(config, 'worker')
  const { clock, database, failureLog, logger } = context
  const heartbeat = createHeartbeat({
    pingDatabase: () => database.pool.query('SELECT 1'),
    clock,
    failureLog,
    file: heartbeatFileOf({ databaseUrl: config.database.url, dataDir: config.dataDir }),
  })
  const server = buildWorkerServer(context)
  closeGracefully(logger, {
    async close() {
      await heartbeat.stop()
      await server.close()
      await context.close()
    },
  })
  registerJobs(context)
  await context.start({ jobs: true, listening: false })
  await context.bounceReceiver.start()
  await context.jobs.enqueue(database.sql, checkMailServers, {})
  heartbeat.start()
  await serveWorkerMetrics(server, context)
  logger.info('working')
}

main().catch(failToStart)
