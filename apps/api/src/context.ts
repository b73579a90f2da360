import { availableParallelism } from 'node:os'
import path from 'node:path'
import type { Config } from './config/config.ts'
import { createArticleService } from './features/articles/index.ts'
import { createCommentService, createTyping } from './features/comments/index.ts'
import {
  createEditionService,
  createPublishing,
  editionDue,
  idOf,
  keyOf,
  publishingSweep,
} from './features/editions/index.ts'
import {
  createArticleDesk,
  createChanges,
  createCommentDesk,
  createContentGroupDesk,
  createEditionDesk,
  createEditorKeyService,
  createMediaDesk,
  createSecureContentDesk,
  recordChange,
  removeOldReplies,
} from './features/editor/index.ts'
import { createEntryBoxService, createGateService } from './features/gate/index.ts'
import { createLikeService } from './features/likes/index.ts'
import { createLiveFeed, createSocketHub } from './features/live-feed/index.ts'
import { createMediaService } from './features/media/index.ts'
import { createMemoService } from './features/memos/index.ts'
import { cleanUp, createReadiness, removeEndedLimits } from './features/ops/index.ts'
import { createGatePass } from './http/gate-pass.ts'
import { createRateLimits } from './http/rate-limits.ts'
import { createReaderSessions } from './http/reader-session.ts'
import { createReadyReplies, type ReadyReply } from './http/ready-reply.ts'
import { createAltchaCaptchaVerifier } from './integrations/captcha/altcha-captcha-verifier.ts'
import type { CaptchaVerifier, ClaimSolution } from './integrations/captcha/captcha-verifier.ts'
import { createSiteverifyCaptchaVerifier } from './integrations/captcha/siteverify-captcha-verifier.ts'
import { createIdentityProviders } from './integrations/identity/configured-identity-providers.ts'
import { newFlowSecrets } from './integrations/identity/flow-secrets.ts'
import type { Mailer } from './integrations/mail/mailer.ts'
import { createNoMailer } from './integrations/mail/no-mailer.ts'
import { createSmtpMailer } from './integrations/mail/smtp-mailer.ts'
import { createNoPaymentGateway } from './integrations/payments/no-payment-gateway.ts'
import type { PaymentGateway } from './integrations/payments/payment-gateway.ts'
import { createStripePaymentGateway } from './integrations/payments/stripe-payment-gateway.ts'
import type { PictureEncoder } from './integrations/pictures/picture-encoder.ts'
import { createSharpPictureEncoder } from './integrations/pictures/sharp-picture-encoder.ts'
import { createDiskMediaStore } from './integrations/storage/disk-media-store.ts'
import type { MediaStore } from './integrations/storage/media-store.ts'
import { createMembership, type MembershipCaches } from './membership-context.ts'
import { cacheKeys } from './platform/cache-keys.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { createDatabase } from './platform/database.ts'
import { createFreshCache } from './platform/fresh-cache.ts'
import { type Ids, randomIds } from './platform/ids.ts'
import { createJobs } from './platform/jobs.ts'
import { createLogger, type Logger } from './platform/logger.ts'
import { firstAppConfig } from './platform/membership-apps/app-config.ts'
import { ensureApp } from './platform/membership-apps/membership-apps.ts'
import { createMetrics } from './platform/metrics.ts'
import { createNotifications } from './platform/notifications.ts'
import { createPasswords, type Passwords } from './platform/passwords/passwords.ts'
import { createStaleness } from './platform/stale.ts'

/** What tests and seeds may put in the place of the real thing. */
export type ContextOverrides = {
  clock?: Clock
  ids?: Ids
  logger?: Logger
  encoder?: PictureEncoder
  store?: MediaStore
  mailer?: Mailer
  gateway?: PaymentGateway
  passwords?: Passwords
}

/** How a process uses the context: its name in logs, and whether it works jobs or only enqueues them. */
export type ProcessRole = { name: string; worksJobs: boolean }

const readyRepliesBytes = 64_000_000
// A storm of likes reloads an edition four times a second at most, and readers still see each within a second.
const quietMs = 250
const sessionsInMemory = 100_000
const memberRepliesBytes = 64_000_000

export type Context = Awaited<ReturnType<typeof createContext>>

/** Builds every collaborator once. Nothing is connected until `start` or the first query. */
export function createContext(config: Config, role: ProcessRole, overrides: ContextOverrides = {}) {
  const clock = overrides.clock ?? systemClock
  const ids = overrides.ids ?? randomIds
  const logger = overrides.logger ?? createLogger({ level: config.logLevel, process: role.name })
  const metrics = createMetrics({ withProcess: config.environment !== 'test' })
  const { url } = config.database
  const applicationName = `tidings ${role.name}`

  const database = createDatabase({ url, connections: config.database.connections, logger, applicationName })
  const notifications = createNotifications({ url, logger, applicationName })
  const jobs = createJobs({ url, logger, metrics, works: role.worksJobs })
  const rateLimits = createRateLimits({
    pool: database.pool,
    limits: config.rateLimits,
    secret: config.secrets.siteSecret,
  })
  const gatePass = createGatePass({
    on: config.gate.on,
    password: config.secrets.sitePassword,
    secret: config.secrets.siteSecret,
    clock,
    ids,
  })
  const readers = createReaderSessions(config.secrets.siteSecret)

  const isTrustworthy = () => notifications.isListening()
  const replies = createFreshCache<ReadyReply>({
    maxBytes: readyRepliesBytes,
    sizeOf: (reply) => reply.bytes,
    isTrustworthy,
    quietMs,
  })
  const usedPictures = createFreshCache<ReadonlySet<string>>({
    maxBytes: 4_000_000,
    sizeOf: (files) => 100 + files.size * 60,
    isTrustworthy,
    quietMs,
  })
  const caches = createMembershipCaches(isTrustworthy)
  const staleness = createStaleness(notifications, [replies, usedPictures, ...Object.values(caches)])
  const readyReplies = createReadyReplies(replies, metrics)

  const store = overrides.store ?? createDiskMediaStore(path.join(config.dataDir, 'media'))
  const encoder = overrides.encoder ?? createSharpPictureEncoder()

  const publishing = createPublishing({
    database,
    jobs,
    clock,
    staleness,
    logger,
    slots: config.site.slots,
    timeZone: config.site.timeZone,
    latenessMinutes: config.publishing.latenessMinutes,
    recordAutomatic: (tx, action, edition) =>
      recordChange(tx, {
        editorKeyId: null,
        action,
        subject: keyOf(idOf(edition)),
        details: { status: edition.status, reason: edition.heldReason },
      }),
  })
  const editions = createEditionService({ database, slots: config.site.slots })
  const memos = createMemoService({ database, jobs, publishing })
  const likes = createLikeService({ database, rateLimits, staleness })
  const media = createMediaService({ database, store, encoder, ids, used: usedPictures })

  const mailer = overrides.mailer ?? createMailer(config, clock)
  const passwords =
    overrides.passwords ??
    createPasswords({
      ...config.passwords,
      concurrency: config.passwords.concurrency || hashesAtOnce(availableParallelism()),
      hasherFile: config.locations.hasher,
      logger,
    })
  const membership = createMembership({
    config,
    database,
    jobs,
    staleness,
    clock,
    ids,
    logger,
    rateLimits,
    media,
    mailer,
    gateway: overrides.gateway ?? createGateway(config, clock),
    passwords,
    identityProviders: createIdentityProviders(config.identityProviders),
    newFlowSecrets,
    createCaptcha: (claim) => createCaptcha(config, { clock, ids, claim }),
    caches,
  })
  const { membershipApps, secureContent } = membership
  const articles = createArticleService({ database, membershipApps, secureContent })

  const changes = createChanges({ database, clock })
  const editorKeys = createEditorKeyService({ database, clock, ids, rateLimits })
  const editionDesk = createEditionDesk({ database, changes, publishing, memos, media })
  const articleDesk = createArticleDesk({
    database,
    changes,
    media,
    siteAppId: config.site.appId,
    clock,
    staleness,
  })
  const contentGroupDesk = createContentGroupDesk({ database, changes, membershipApps, ids, staleness })
  const secureContentDesk = createSecureContentDesk({ database, changes, membershipApps })
  const mediaDesk = createMediaDesk({ changes, media })

  const gate = createGateService({ gatePass, rateLimits })
  const entryBox = createEntryBoxService({ database, rateLimits, phoneRegion: config.phoneRegion })

  const socketHub = createSocketHub(metrics)
  const typing = createTyping({ database, clock, apps: membershipApps, siteUrl: config.site.url })
  const comments = createCommentService({ database, clock, ids, rateLimits, siteUrl: config.site.url })
  const commentDesk = createCommentDesk({ database, changes, clock })
  const liveFeed = createLiveFeed({ database, jobs, notifications, hub: socketHub, typing, logger })
  const readiness = createReadiness({ database, migrationsFolder: config.locations.migrations })

  jobs.handle(editionDue, ({ editionId }) => publishing.publishIfDue(editionId))
  jobs.handle(publishingSweep, () => publishing.sweep())
  jobs.handle(cleanUp, async () => {
    await removeEndedLimits(database, clock)
    await removeOldReplies(database.db, new Date(clock.now().getTime() - 24 * 3600 * 1000))
    await membership.removeOld()
  })
  liveFeed.handleJobs()
  liveFeed.listen()

  return {
    ...membership,
    config,
    clock,
    ids,
    logger,
    metrics,
    database,
    staleness,
    passwords,
    notifications,
    jobs,
    rateLimits,
    gatePass,
    readers,
    readyReplies,
    publishing,
    editions,
    memos,
    likes,
    articles,
    media,
    store,
    editorKeys,
    editionDesk,
    articleDesk,
    contentGroupDesk,
    secureContentDesk,
    commentDesk,
    comments,
    typing,
    mediaDesk,
    gate,
    entryBox,
    socketHub,
    liveFeed,
    readiness,

    /** Sees to it that the site's own app is there, under the id and key of the settings, and a key for its tokens. */
    async ensureSiteApp(): Promise<void> {
      const { appId: id, appPublicKey: publicKey, name } = config.site
      await ensureApp(database, { id, publicKey, config: firstAppConfig(name) })
      await membership.signingKeys.ring()
    },

    /** Makes the queues and begins to work jobs; catches up on what came due while nobody worked. */
    async startJobs(): Promise<void> {
      await jobs.start()
      if (role.worksJobs) await publishing.sweep()
    },

    /** Begins to hear of changes, and keeps ready what takes longest to load. */
    async startListening(): Promise<void> {
      await notifications.start()
      const keepArchive = async () =>
        await readyReplies
          .prepare(cacheKeys.archive, () => editions.archiveList())
          .catch((error: unknown) => logger.warn({ err: error }, 'the archive list is not ready yet'))
      staleness.whenStale(cacheKeys.archive, () => void keepArchive())
      await keepArchive()
    },

    /** Lets running jobs end and closes every connection. */
    async close(): Promise<void> {
      await jobs.stop()
      await notifications.stop()
      await liveFeed.settled()
      await passwords.close()
      mailer.close()
      await database.close()
    },
  }
}

/** A core is left to everything else, where there are enough. */
function hashesAtOnce(cores: number): number {
  return cores > 2 ? cores - 1 : cores
}

function createMembershipCaches(isTrustworthy: () => boolean): MembershipCaches {
  // A few entries each, which is less than any bound.
  const few = { maxBytes: 100, sizeOf: () => 1, isTrustworthy, quietMs }
  return {
    apps: createFreshCache(few),
    groups: createFreshCache(few),
    keys: createFreshCache(few),
    sessions: createFreshCache({ ...few, maxBytes: sessionsInMemory }),
    members: createFreshCache({
      maxBytes: memberRepliesBytes,
      sizeOf: (bytes) => bytes.byteLength + 200,
      isTrustworthy,
      quietMs,
    }),
  }
}

function createMailer({ mail }: Config, clock: Clock): Mailer {
  return mail.smtpUrl === null
    ? createNoMailer()
    : createSmtpMailer({ url: mail.smtpUrl, from: mail.from, clock })
}

function createGateway({ payments }: Config, clock: Clock): PaymentGateway {
  return payments.stripe === null
    ? createNoPaymentGateway()
    : createStripePaymentGateway({ ...payments.stripe, clock })
}

function createCaptcha(
  { captcha, secrets }: Config,
  deps: { clock: Clock; ids: Ids; claim: ClaimSolution },
): CaptchaVerifier | null {
  if (captcha.kind === 'off') return null
  if (captcha.kind === 'altcha') return createAltchaCaptchaVerifier({ ...deps, secret: secrets.siteSecret })
  const { verifyUrl, ...settings } = captcha
  return createSiteverifyCaptchaVerifier({
    ...deps,
    ...settings,
    ...(verifyUrl === null ? {} : { url: verifyUrl }),
  })
}
