import { createAccountDeletion } from '../features/account-deletion/index.ts'
import { createArticleService } from '../features/articles/index.ts'
import {
  claimSolution,
  createCodeSecrets,
  createCodeService,
  createKnownSources,
  createSessionService,
  removeExpiredSessions,
  removeOldCodes,
  removeOldFlows,
  removeOldSolutions,
  sessionCacheKey,
} from '../features/auth/index.ts'
import {
  createCustomerDeletion,
  createEmailSync,
  createRefundService,
  createSyncAfterCheckout,
} from '../features/billing/index.ts'
import { createEmailService, createMailServerService, removeOldEmails } from '../features/mail/index.ts'
import { createMemberService, createUnverifiedCleanUp } from '../features/members/index.ts'
import { createPlanService } from '../features/plans/index.ts'
import { createSearchService } from '../features/search/index.ts'
import { createSecureContentService } from '../features/secure-content/index.ts'
import { createWidgetConfigService } from '../features/widget-config/index.ts'
import { createAccessTokens } from '../platform/access-tokens/access-tokens.ts'
import { createSigningKeys } from '../platform/access-tokens/signing-keys.ts'
import { createMembershipApps } from '../platform/membership-apps/membership-apps.ts'
import type { Adapters } from './adapters.ts'
import type { Caches } from './caches.ts'
import type { Content } from './content.ts'
import type { Infrastructure } from './infrastructure.ts'
import { createLogins } from './logins.ts'
import { createPhones } from './phones.ts'

export type Membership = ReturnType<typeof createMembership>

/** Creates the services of apps and their members: how they log in, and what is open to them. */
export function createMembership(
  deps: Infrastructure & Caches & Adapters & Pick<Content, 'media' | 'dailyCounts'>,
) {
  const { config, database, clock, ids, caches } = deps
  const { site, mailLimits, codeLimits } = config
  const { url: siteUrl, timeZone } = site
  const { contactEmail: contact } = site.legal
  const { siteSecret: secret } = config.secrets

  const apps = createMembershipApps({
    database,
    cache: caches.apps,
    siteAppId: site.appId,
    siteOrigins: new Set([...site.origins, ...site.allowedOrigins]),
  })
  const signingKeys = createSigningKeys({ ...deps, cache: caches.keys, secret })
  const tokens = createAccessTokens({ keys: signingKeys, clock, issuer: siteUrl.origin })
  const { points: triesInAll } = config.rateLimits.accountTriesInAll
  const sources = createKnownSources({ ...deps, secret, days: config.knownSourceDays, triesInAll })
  const sessions = createSessionService({ ...deps, tokens, apps, sources, siteUrl, cache: caches.sessions })

  const mailing = { ...deps, apps, siteUrl, mailLimits }
  const emails = createEmailService({ ...mailing, contact, timeZone, language: config.site.language })
  const mailServers = createMailServerService({ ...deps, servers: deps.smtpServers })
  const secrets = createCodeSecrets(secret)
  const codes = createCodeService({ ...mailing, emails, sources, codeLimits, secrets })

  const { automaticRefunds, customerOnDeletion } = config.payments
  const refunds = createRefundService({ ...deps, apps, emails, automaticRefunds })
  const deletedCustomers = createCustomerDeletion({ ...deps, refunds, customerOnDeletion })
  const accountDeletion = createAccountDeletion({ ...deps, apps, emails, customers: deletedCustomers })
  const requestDeletion = accountDeletion.request
  const syncAfterCheckout = createSyncAfterCheckout(deps)
  const forMembers = { ...deps, apps, replies: caches.members, siteUrl, emails, sessionCacheKey }
  const members = createMemberService({ ...forMembers, requestDeletion, syncAfterCheckout })
  const plans = createPlanService({ members, clock, ids })
  const secureContent = createSecureContentService({ database })
  const articles = createArticleService({ database, apps, secureContent })

  const emailSync = createEmailSync(deps)
  const captcha = deps.createCaptcha((hash, expiresAt) => claimSolution(database.db, hash, expiresAt))
  const accounts = { members, plans, sessions, sources, codes, emails, mailServers }
  const syncEmail = emailSync.request
  const logins = createLogins({ ...deps, ...accounts, apps, captcha, syncEmail })
  const { phone, smsLimits } = createPhones({ ...deps, apps, secrets })

  const { unverifiedDays } = config
  const cleanUpUnverified = createUnverifiedCleanUp({ ...forMembers, unverifiedDays, timeZone })

  return {
    apps,
    signingKeys,
    sessions,
    members,
    plans,
    secureContent,
    captcha,
    codes,
    smsLimits,
    phone,
    emails,
    mailServers,
    emailSync,
    accountDeletion,
    refunds,
    ...logins,
    articles,
    search: createSearchService({ ...deps, ...site, articles }),
    widgetConfig: createWidgetConfigService({
      database,
      apps,
      groups: caches.groups,
      siteUrl,
      isSandbox: config.environment !== 'production',
      captcha: config.captcha,
      identityProviders: config.identityProviders,
      tax: config.payments.stripe?.tax ?? null,
    }),

    /** Removes what has expired: sessions, codes, emails, captchas, keys, and unused accounts with an unverified address. */
    async removeOld(): Promise<void> {
      const now = clock.now()
      await removeExpiredSessions(database.db, now)
      await removeOldCodes(database.db, now)
      await sources.removeOld(database.db)
      await removeOldEmails(database.db, now)
      await removeOldFlows(database.db, now)
      await removeOldSolutions(database.db, now)
      await signingKeys.removeRetired()
      await smsLimits.removeOld()
      await cleanUpUnverified()
      await deps.dailyCounts.removeOld()
    },
  }
}
