import type { Config } from './config/config.ts'
import { createAdapters } from './context/adapters.ts'
import { createBilling } from './context/billing.ts'
import { createCaches } from './context/caches.ts'
import { createContent } from './context/content.ts'
import { createDesk } from './context/desk.ts'
import { createInfrastructure, type ProcessRole } from './context/infrastructure.ts'
import { createMembership } from './context/membership.ts'
import type { ContextOverrides } from './context/overrides.ts'
import { createRealtime } from './context/realtime.ts'
import { editionCacheKeys } from './features/editions/index.ts'
import { cleanUp, createReadiness, removeExpiredLimits } from './features/ops/index.ts'
import { firstAppConfig } from './platform/membership-apps/app-config.ts'
import { ensureApp } from './platform/membership-apps/membership-apps.ts'

export type Context = ReturnType<typeof createContext>

/** Creates every collaborator once. Nothing is connected until `start` or the first query. */
export function createContext(config: Config, role: ProcessRole, overrides: ContextOverrides = {}) {
  const infrastructure = createInfrastructure(config, role, overrides)
  const { clock, logger, database, notifications, jobs } = infrastructure
  const shared = {
    ...infrastructure,
    ...createCaches(infrastructure),
    ...createAdapters(infrastructure, overrides),
  }
  const { invalidation, cachedResponses, mailer, passwords } = shared

  const reading = createContent(shared)
  const membership = createMembership({ ...shared, ...reading })
  const payments = createBilling({ ...shared, ...membership })
  const desk = createDesk({ ...shared, ...reading, ...membership })
  const discussion = createRealtime({ ...shared, ...membership })
  const readiness = createReadiness({ database, migrationsFolder: config.locations.migrations })

  jobs.handle(cleanUp, async () => {
    await removeExpiredLimits(database, clock)
    await desk.changes.removeExpired()
    await membership.removeOld()
  })

  return {
    ...shared,
    ...reading,
    ...membership,
    ...payments,
    ...desk,
    ...discussion,
    readiness,

    /** Creates the site's own app, with the id and key of the settings, and its first signing key if missing. */
    async ensureSiteApp(): Promise<void> {
      const { appId: id, appPublicKey: publicKey, name } = config.site
      await ensureApp(database, { id, publicKey, config: firstAppConfig(name) })
      await membership.signingKeys.ring()
    },

    /** Creates the queues, starts the workers, and publishes what became due meanwhile. */
    async startJobs(): Promise<void> {
      await jobs.start()
      if (role.worksJobs) await reading.publishing.sweep()
    },

    /** Starts to receive invalidations, and keeps the archive list, the slowest one, warm. */
    async startListening(): Promise<void> {
      await notifications.start()
      const warmArchive = async () =>
        await cachedResponses
          .warm(editionCacheKeys.archive, () => reading.editions.archiveList())
          .catch((error: unknown) => logger.warn({ err: error }, 'archive list could not be warmed'))
      invalidation.onInvalidated(editionCacheKeys.archive, () => void warmArchive())
      await warmArchive()
    },

    /** Waits for running jobs and closes every connection. */
    async close(): Promise<void> {
      await jobs.stop()
      await notifications.stop()
      await discussion.liveFeed.settled()
      await passwords.close()
      mailer.close()
      await database.close()
    },
  }
}
