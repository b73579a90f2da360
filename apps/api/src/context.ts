import type { Config } from './config/config.ts'
import { createAdapters } from './context/adapters.ts'
import { createOperatorAlerts } from './context/alerts.ts'
import { createBilling } from './context/billing.ts'
import { type Caches, createCaches } from './context/caches.ts'
import { createContent } from './context/content.ts'
import { createDelivery, type Delivery } from './context/delivery.ts'
import { createDeliveryMail, type DeliveryMail } from './context/delivery-mail.ts'
import { createDesk, type Desk } from './context/desk.ts'
import { createDeskTruth, type DeskTruth } from './context/desk-truth.ts'
import { createFinding } from './context/finding.ts'
import { createInfrastructure } from './context/infrastructure.ts'
import { createMembership, type Membership } from './context/membership.ts'
import { exportMetrics } from './context/metrics.ts'
import type { ContextOverrides } from './context/overrides.ts'
import { createRealtime } from './context/realtime.ts'
import { mediaFolderOf } from './context/stores.ts'
import { editionCacheKeys } from './features/editions/index.ts'
import { createReadiness } from './features/ops/index.ts'
import { connectionsBesidePool, warnOfConnections } from './platform/connection-budget.ts'
import { exportListener } from './platform/database-metrics/pool-metrics.ts'
import type { Logger } from './platform/logger.ts'
import { firstAppConfig } from './platform/membership-apps/app-config.ts'
import { ensureApp } from './platform/membership-apps/membership-apps.ts'

export type Context = ReturnType<typeof createContext>

/** How long replies of mail servers are awaited at the end; the rest of the time until a process is killed is the jobs'. */
const mailGraceMs = 4_000

/** Creates every collaborator of a process once. Nothing is connected until `start` or the first query. */
export function createContext(config: Config, processName: string, overrides: ContextOverrides = {}) {
  const infrastructure = createInfrastructure(config, processName, overrides)
  const { logger, metrics, database, notifications, jobs, sendingGuard } = infrastructure
  exportMetrics(infrastructure)
  const shared = {
    ...infrastructure,
    ...createCaches(infrastructure),
    ...createAdapters(infrastructure, overrides),
  }
  const content = createContent(shared)
  const membership = createMembership({ ...shared, ...content })
  const billing = createBilling({ ...shared, ...membership })
  const deliveryMail = createDeliveryMail({ ...shared, ...membership })
  const desk = createDesk({ ...shared, ...content, ...membership })
  const delivery = createDelivery({ ...shared, ...content, ...membership, ...desk, ...deliveryMail })
  const deskTruth = createDeskTruth({ ...shared, ...content, ...membership, ...deliveryMail, ...delivery })
  const finding = createFinding({ ...shared, ...membership, ...desk, ...delivery })
  const realtime = createRealtime({ ...shared, ...membership })

  return {
    ...shared,
    ...content,
    ...membership,
    ...billing,
    ...delivery,
    ...desk,
    ...finding,
    ...deliveryMail,
    ...realtime,
    ...createOperatorAlerts(shared),
    ...deskTruth,
    readiness: createReadiness({
      ...infrastructure,
      migrationsFolder: config.locations.migrations,
      mediaFolder: mediaFolderOf(config),
      store: config.media.bucket === null ? null : shared.store,
      servesWithoutDatabase: shared.servesWithoutDatabase,
    }),

    removeOld: () => removeOld({ membership, desk, deliveryMail, delivery, deskTruth }),

    /** Creates the site's own app, with the id and key of the settings, and its first signing key if missing. */
    async ensureSiteApp(): Promise<void> {
      const { appId: id, appPublicKey: publicKey, name } = config.site
      await ensureApp(database, { id, publicKey, config: firstAppConfig(name) })
      await membership.signingKeys.ring()
    },

    /**
     * Connects the job queue. `jobs`: this process runs jobs, first those of editions that became due meanwhile;
     * otherwise it only enqueues them. `listening`: it receives notifications and caches responses.
     */
    async start({ jobs: works, listening }: { jobs: boolean; listening: boolean }): Promise<void> {
      const reason = config.sms.account === null ? null : deliveryMail.deliverySms.nameWarning()
      if (reason !== null) logger.warn({ reason }, 'site name unsuited to texts')
      await membership.search.checkDatabase()
      if (works) await sendingGuard.start()
      await jobs.start({ works })
      const { url, listenUrl, connections } = config.database
      // Through a pooler, only those past it are a process's own.
      const perProcess = connectionsBesidePool + (url === listenUrl ? connections : 0)
      await warnOfConnections({ sql: database.sql, logger }, perProcess)
      if (works) {
        await Promise.all([content.publishing.sweep(), membership.search.followLanguage()])
      }
      if (!listening) return
      exportListener(metrics, notifications)
      await notifications.start()
      await keepArchiveWarm({ ...shared, ...content })
    },

    /** Waits for running jobs and closes every connection. */
    async close(): Promise<void> {
      infrastructure.availability.stop()
      for (const { finish } of [shared.mailer, shared.bulkMailer]) finish(mailGraceMs)
      await Promise.all([
        delivery.sending.stop(),
        delivery.smsSending.stop(),
        delivery.pushSending.stop(),
        deliveryMail.bounceReceiver.close(),
      ])
      sendingGuard.stop()
      await jobs.stop()
      await infrastructure.coalesced.flush()
      await Promise.all([desk.deskEvents.settled(), delivery.deliveryProgress.settled()])
      await notifications.stop()
      await realtime.liveFeed.settled()
      await shared.passwords.close()
      await shared.pdfRenderer.close()
      shared.mailer.close()
      shared.bulkMailer.close()
      await database.close()
    },
  }
}

type Expiring = {
  membership: Membership
  desk: Desk
  deliveryMail: DeliveryMail
  delivery: Delivery
  deskTruth: DeskTruth
}

/** Removes what has expired. */
async function removeOld({ membership, desk, deliveryMail, delivery, deskTruth }: Expiring): Promise<void> {
  await membership.removeOld()
  await desk.removeOldLogins()
  await desk.editionUndo.removeOld()
  await deliveryMail.bounces.removeOld()
  await deliveryMail.editionPdfs.removeOld()
  await delivery.deliverability.removeOld()
  await delivery.pushDevices.removeOld()
  await deskTruth.linkChecks.removeOld()
  await deskTruth.previewPages.removeOld()
  await delivery.deliveryOperations.archive()
}

type Warmed = Pick<Caches, 'cachedResponses' | 'invalidation'> & {
  editions: { archiveList(): Promise<unknown> }
  logger: Logger
}

/** Keeps the archive list, the slowest response, cached. */
async function keepArchiveWarm({ cachedResponses, invalidation, editions, logger }: Warmed): Promise<void> {
  const warm = () =>
    cachedResponses
      .warm(editionCacheKeys.archive, () => editions.archiveList())
      .catch((error: unknown) => logger.warn({ err: error }, 'archive list warm-up failed'))
  invalidation.onInvalidated(editionCacheKeys.archive, () => void warm())
  await warm()
}
