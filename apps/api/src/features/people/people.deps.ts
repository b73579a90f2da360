import type { ChangeService } from '#features/desk/index.ts'
import type { EmailService } from '#features/mail/index.ts'
import type { RateLimits } from '#http/limits/rate-limits.ts'
import type { PasskeyVerifier } from '#integrations/passkeys/passkey-verifier.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import type { DeskSite } from './desk-site.ts'

/** Collaborators of the services for people; each service picks its own. */
export type PeopleDeps = Pick<PlatformDeps, 'database' | 'clock' | 'ids' | 'jobs' | 'logger' | 'apps'> & {
  changes: ChangeService
  emails: EmailService
  rateLimits: RateLimits
  verifier: PasskeyVerifier
  deskSite: DeskSite
  /** Signs the links. */
  secret: string
}
