import type { EmailService } from '#features/mail/index.ts'
import type { PaymentGateway } from '#integrations/payments/payment-gateway.ts'
import type { Invalidation } from '#platform/cache/invalidation.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/database.ts'
import type { Ids } from '#platform/ids.ts'
import type { Jobs } from '#platform/jobs.ts'
import type { Logger } from '#platform/logger.ts'
import type { MembershipApps } from '#platform/membership-apps/membership-apps.ts'

/** The dependencies of billing's services, each of which picks what it needs. */
export type BillingDeps = {
  database: Database
  gateway: PaymentGateway
  jobs: Jobs
  apps: MembershipApps
  emails: EmailService
  invalidation: Invalidation
  clock: Clock
  ids: Ids
  logger: Logger
  siteUrl: URL
  graceMs: number
}
