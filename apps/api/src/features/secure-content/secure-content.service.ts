import { contentId as contentIdSchema, type SecureContentType } from '@tidings/contracts/secure-content'
import type { Database } from '#platform/database.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import { type AccessRule, grantsOf, isOpen } from './content-access.ts'
import { AccessDeniedError, ContentNotFoundError } from './secure-content.errors.ts'
import { findGuardedContent, listActivePlans } from './secure-content.repository.ts'

type Deps = { database: Database }

export type SecureContentService = {
  /** What a content id stands for. Throws `content-not-found`, or `access-denied` when the member may not have it. */
  read(
    app: MembershipApp,
    memberId: string,
    contentId: string,
  ): Promise<{ content: string; type: SecureContentType }>
  /** Throws `access-denied` unless the rule holds for the member, by the plans that they hold now. */
  requireAccess(app: MembershipApp, memberId: string, rule: AccessRule): Promise<void>
}

/** Hands things to the members who may have them. Nothing of it is kept in memory, so every change holds at once. */
export function createSecureContentService({ database }: Deps): SecureContentService {
  return {
    async read(app, memberId, contentId) {
      // A text that cannot be a content id is none; some cannot even be looked for.
      if (!contentIdSchema.safeParse(contentId).success) throw new ContentNotFoundError()
      const found = await findGuardedContent(database.db, { appId: app.id, contentId }, memberId)
      if (found === null) throw new ContentNotFoundError()
      if (!isOpen(found.rules, grantsOf(found.planIds, app))) throw new AccessDeniedError()
      return { content: found.content, type: found.type }
    },
    async requireAccess(app, memberId, rule) {
      const planIds = await listActivePlans(database.db, memberId)
      if (!isOpen([rule], grantsOf(planIds, app))) throw new AccessDeniedError()
    },
  }
}
