import {
  contentId as contentIdSchema,
  type SecureContentType,
} from '@tidings/contracts/membership/secure-content'
import type { MembershipAppReply } from '@tidings/contracts/membership/widget-config'
import type { Database, Db } from '#platform/database.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import { type AccessRule, grantsOf, isOpen, plansThatOpen, requirePlans } from './content-access.ts'
import { getGroup, listAllGroups, requireGroup } from './content-groups.repository.ts'
import { fail } from './secure-content.errors.ts'
import { toWireGroup } from './secure-content.mapper.ts'
import { findGuardedContent, listActivePlans } from './secure-content.repository.ts'

/** The cache key of all apps' content groups. */
export const contentGroupsCacheKey = 'content-groups'

export type SecureContentService = ReturnType<typeof createSecureContentService>

/** Serves content to the members whose plans open it. Nothing is cached, so every change holds at once. */
export function createSecureContentService({ database }: { database: Database }) {
  return {
    /** Throws `content-not-found`, or `access-denied` if the member's plans do not open the content. */
    async read(
      app: MembershipApp,
      memberId: string,
      contentId: string,
    ): Promise<{ content: string; type: SecureContentType }> {
      // Some texts that are not content ids cannot be sent to Postgres.
      if (!contentIdSchema.safeParse(contentId).success) throw fail('content-not-found')
      const found = await findGuardedContent(database.db, { appId: app.id, contentId }, memberId)
      if (found === null) throw fail('content-not-found')
      requireOpen(app, found.rules, found.planIds)
      return { content: found.content, type: found.type }
    },
    /** Throws `access-denied` if the member's plans do not satisfy the rule. */
    async requireAccess(app: MembershipApp, memberId: string, rule: AccessRule): Promise<void> {
      requireOpen(app, [rule], await listActivePlans(database.db, memberId))
    },
    /** Returns which plans open a content group, and whether these do. Throws `invalid-request` for an unknown key. */
    async isOpenWith(
      app: MembershipApp,
      key: string,
      planIds: readonly string[],
    ): Promise<{ isOpen: boolean; plans: string[] }> {
      requirePlans(app, planIds)
      const id = (await requireGroup(database.db, app.id, key)) ?? ''
      const group = await getGroup(database.db, app.id, id)
      return { isOpen: isOpen([group], grantsOf(planIds, app)), plans: plansThatOpen([group], app) }
    },
    /** Lists the ids of the content groups that the member's plans open. */
    async openGroupIds(app: MembershipApp, memberId: string): Promise<string[]> {
      const groups = await listAllGroups(database.db, app.id)
      if (groups.length === 0) return []
      const grants = grantsOf(await listActivePlans(database.db, memberId), app)
      return groups.filter((group) => isOpen([group], grants)).map(({ id }) => id)
    },
  }
}

/** Throws `access-denied` with the plans that satisfy the rules, if the member's plans don't. */
function requireOpen(app: MembershipApp, rules: readonly AccessRule[], planIds: readonly string[]): void {
  if (!isOpen(rules, grantsOf(planIds, app))) throw fail('access-denied', plansThatOpen(rules, app))
}

/** Lists an app's content groups as `GET /app` shows them, by key. */
export async function listContentGroups(db: Db, appId: string): Promise<MembershipAppReply['contentGroups']> {
  return (await listAllGroups(db, appId)).map(toWireGroup)
}
