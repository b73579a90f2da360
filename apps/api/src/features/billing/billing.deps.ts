import type { EmailService } from '#features/mail/index.ts'
import type { PaymentGateway } from '#integrations/payments/payment-gateway.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'

/** The dependencies of billing's services, each of which picks what it needs. */
export type BillingDeps = PlatformDeps & {
  gateway: PaymentGateway
  emails: EmailService
  siteUrl: URL
  graceMs: number
}
