import type { EmailService } from '#features/mail/index.ts'
import type { MemberService } from '#features/members/index.ts'
import type { RateLimits } from '#http/rate-limits.ts'
import type { Invalidation } from '#platform/cache/invalidation.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database, Db } from '#platform/database.ts'
import type { Ids } from '#platform/ids.ts'
import type { Jobs } from '#platform/jobs.ts'
import type { Logger } from '#platform/logger.ts'
import type { MembershipApps } from '#platform/membership-apps/membership-apps.ts'
import type { Passwords } from '#platform/passwords/passwords.ts'

/** Collaborators of the auth services from outside the feature; each service picks its own. */
export type AuthDeps = {
  database: Database
  jobs: Jobs
  invalidation: Invalidation
  clock: Clock
  ids: Ids
  logger: Logger
  passwords: Passwords
  rateLimits: RateLimits
  apps: MembershipApps
  members: MemberService
  emails: EmailService
  siteUrl: URL
  /** Display names of the identity providers, by key. */
  names: ReadonlyMap<string, string>
  /** Updates the address at the payment service after it has changed. */
  syncEmail(tx: Db, memberId: string): Promise<void>
}
