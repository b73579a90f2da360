import type { Config } from './config/config.ts'
import {
  claimSolution,
  codeRequested,
  createAccountService,
  createCodeSecrets,
  createCodeService,
  createIdentityFlows,
  createIdentityService,
  createNoticeService,
  createPasswordLogin,
  createPasswordlessService,
  createResetService,
  createSessionService,
  createSignupService,
  createVerificationService,
  type KnownSession,
  noticeWritten,
  removeExpiredSessions,
  removeOldCodes,
  removeOldFlows,
  removeOldNotices,
  removeOldSolutions,
} from './features/auth/index.ts'
import {
  addressChanged,
  billingSweep,
  createCatalogueSync,
  createCheckoutService,
  createEndPayments,
  createPaymentAddresses,
  createPaymentCustomers,
  createPlanChangeService,
  createReadingService,
  createReconcileService,
  createWebhookService,
  customerChanged,
  disputeChanged,
  reconcileDue,
} from './features/billing/index.ts'
import type { MediaService } from './features/media/index.ts'
import { createMemberService } from './features/members/index.ts'
import { createPlanService } from './features/plans/index.ts'
import { createSecureContentService } from './features/secure-content/index.ts'
import { createWidgetConfigService, type GroupsByApp } from './features/widget-config/index.ts'
import type { RateLimits } from './http/rate-limits.ts'
import type { CaptchaVerifier, ClaimSolution } from './integrations/captcha/captcha-verifier.ts'
import type { FlowSecrets, IdentityProviders } from './integrations/identity/identity-provider.ts'
import type { Mailer } from './integrations/mail/mailer.ts'
import type { PaymentGateway } from './integrations/payments/payment-gateway.ts'
import { createAccessTokens } from './platform/access-tokens/access-tokens.ts'
import { createSigningKeys, type KeyRing } from './platform/access-tokens/signing-keys.ts'
import type { Clock } from './platform/clock.ts'
import type { Database } from './platform/database.ts'
import type { FreshCache } from './platform/fresh-cache.ts'
import type { Ids } from './platform/ids.ts'
import type { Jobs } from './platform/jobs.ts'
import type { Logger } from './platform/logger.ts'
import { type AppDirectory, createMembershipApps } from './platform/membership-apps/membership-apps.ts'
import type { Passwords } from './platform/passwords/passwords.ts'
import type { Staleness } from './platform/stale.ts'

/** What the membership service keeps in memory, in step with every change. */
export type MembershipCaches = {
  apps: FreshCache<AppDirectory>
  groups: FreshCache<GroupsByApp>
  keys: FreshCache<KeyRing>
  sessions: FreshCache<KnownSession>
  members: FreshCache<Buffer>
}

/** What the membership service stands on. */
type Ground = {
  config: Config
  database: Database
  jobs: Jobs
  staleness: Staleness
  clock: Clock
  ids: Ids
  logger: Logger
  rateLimits: RateLimits
  media: MediaService
  mailer: Mailer
  gateway: PaymentGateway
  passwords: Passwords
  createCaptcha(claim: ClaimSolution): CaptchaVerifier | null
  identityProviders: IdentityProviders
  newFlowSecrets: () => FlowSecrets
  caches: MembershipCaches
}

const dayMs = 24 * 3600 * 1000
// A day longer than any token lives, for clocks that disagree.
const keptKeyDays = 15
const keptNoticeDays = 7
const keptCodeDays = 2

/** Builds the membership service's collaborators. */
export function createMembership(ground: Ground) {
  const { config, database, jobs, clock, ids, caches } = ground
  const siteUrl = config.site.url

  const membershipApps = createMembershipApps({
    database,
    cache: caches.apps,
    siteAppId: config.site.appId,
    siteOrigins: new Set([...config.site.origins, ...config.site.allowedOrigins]),
  })
  const signingKeys = createSigningKeys({
    ...ground,
    cache: caches.keys,
    secret: config.secrets.siteSecret,
  })
  const tokens = createAccessTokens({ keys: signingKeys, clock, issuer: siteUrl.origin })
  const sessions = createSessionService({
    ...ground,
    tokens,
    apps: membershipApps,
    cache: caches.sessions,
  })
  const members = createMemberService({
    ...ground,
    replies: caches.members,
    siteUrl,
    endPayments: createEndPayments(ground),
  })
  const plans = createPlanService({ members, clock, ids })
  const captcha = ground.createCaptcha((hash, expiresAt) => claimSolution(database.db, hash, expiresAt))
  const codes = createCodeService({
    ...ground,
    apps: membershipApps,
    secrets: createCodeSecrets(config.secrets.siteSecret),
    siteUrl,
    mailLimits: config.codeMails,
  })
  const notices = createNoticeService({
    ...ground,
    apps: membershipApps,
    siteUrl,
    contact: config.site.legal.contactEmail,
    timeZone: config.site.timeZone,
    mailLimits: config.codeMails,
  })
  const paymentAddresses = createPaymentAddresses(ground)
  const auth = { ...ground, members, sessions, codes, notices, tellAddress: paymentAddresses.tell }
  const signup = createSignupService({ ...auth, plans, captcha })
  const secureContent = createSecureContentService({ database })

  const paying = { ...ground, apps: membershipApps, siteUrl, graceMs: config.payments.graceDays * dayMs }
  const readings = createReadingService({ ...paying, notices })
  const customers = createPaymentCustomers(paying)
  const checkout = createCheckoutService({ ...paying, customers })
  const reconciling = createReconcileService({ ...paying, readings })

  const names = new Map(config.identityProviders.map(({ key, name }) => [key, name]))

  jobs.handle(codeRequested, ({ codeId }) => codes.send(codeId))
  jobs.handle(customerChanged, async ({ customerId }) => void (await readings.read(customerId)))
  jobs.handle(disputeChanged, async ({ chargeId }) => {
    const customerId = await ground.gateway.customerOfCharge(chargeId)
    if (customerId !== null) await readings.readDisputes(customerId)
  })
  jobs.handle(addressChanged, ({ memberId }) => paymentAddresses.send(memberId))
  jobs.handle(billingSweep, () => reconciling.sweep())
  jobs.handle(reconcileDue, async () => {
    if (ground.gateway.isSetUp) await reconciling.reconcile()
  })
  jobs.handle(noticeWritten, ({ noticeId }) => notices.send(noticeId))

  return {
    membershipApps,
    signingKeys,
    sessions,
    members,
    plans,
    captcha,
    signup,
    codes,
    notices,
    passwordLogin: createPasswordLogin(auth),
    passwordless: createPasswordlessService({ ...auth, signup }),
    reset: createResetService(auth),
    verification: createVerificationService(auth),
    account: createAccountService(auth),
    identity: createIdentityService({ ...auth, signup, names }),
    identityFlows: createIdentityFlows({
      ...ground,
      apps: membershipApps,
      providers: ground.identityProviders,
      newSecrets: ground.newFlowSecrets,
      names,
      siteUrl,
    }),
    secureContent,
    checkout,
    planChanges: createPlanChangeService({ ...paying, checkout, readings, members }),
    webhooks: createWebhookService({ ...paying, readings }),
    readings,
    reconciling,
    syncCatalogue: createCatalogueSync(paying),
    widgetConfig: createWidgetConfigService({
      database,
      apps: membershipApps,
      groups: caches.groups,
      isSandbox: config.environment !== 'production',
      captcha: config.captcha,
      identityProviders: config.identityProviders,
    }),

    /** Forgets what has served its time: sessions, codes, notices, captchas, and keys whose tokens are over. */
    async removeOld(): Promise<void> {
      const before = (days: number) => new Date(clock.now().getTime() - days * dayMs)
      await removeExpiredSessions(database.db, clock.now())
      await removeOldCodes(database.db, before(keptCodeDays))
      await removeOldNotices(database.db, before(keptNoticeDays))
      await removeOldFlows(database.db, clock.now())
      await removeOldSolutions(database.db, clock.now())
      await signingKeys.removeRetired(before(keptKeyDays))
    },
  }
}
