import type { EmailService, MailServerService } from '#features/mail/index.ts'
import type { MemberService } from '#features/members/index.ts'
import type { RateLimits } from '#http/limits/rate-limits.ts'
import type { Db } from '#platform/database.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import type { Passwords } from '#platform/passwords/passwords.ts'

/** Collaborators of the auth services from outside the feature; each service picks its own. */
export type AuthDeps = PlatformDeps & {
  passwords: Passwords
  rateLimits: RateLimits
  members: MemberService
  emails: EmailService
  mailServers: Pick<MailServerService, 'canReach'>
  siteUrl: URL
  /** Display names of the identity providers, by key. */
  names: ReadonlyMap<string, string>
  /** Updates the address at the payment service after it has changed. */
  syncEmail(tx: Db, memberId: string): Promise<void>
}
