import type { Db } from '#platform/database.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import type { DailyCounts } from '../daily-counts/index.ts'
import type { EmailService } from '../mail/index.ts'
import type { MediaService } from '../media/index.ts'
import { existing, memberCacheKey, type WorkOnMember } from './member-record.ts'
import {
  listSessionIds,
  lockMember,
  lockRemovals,
  type MemberRow,
  removeMember,
} from './members.repository.ts'

export type AccountRemovalDeps = Pick<PlatformDeps, 'database' | 'invalidation'> & {
  media: MediaService
  emails: EmailService
  dailyCounts: Pick<DailyCounts, 'memberGone'>
  sessionCacheKey(sessionId: string): string
  /** Stores what is left to do for a deleted member's payments, and holds the address; false if there is nothing. */
  requestDeletion(tx: Db, app: MembershipApp, row: MemberRow): Promise<boolean>
}

/** Returns the function that deletes accounts. */
export function createAccountRemoval(deps: AccountRemovalDeps) {
  const { database, invalidation } = deps

  /** Deletes an account at once, even where self-deletion is disabled. `confirm` may throw to keep it. */
  return async function removeAccount(
    app: MembershipApp,
    memberId: string,
    confirm?: WorkOnMember<void>,
  ): Promise<void> {
    const image = await database.transaction(async (tx) => {
      await lockRemovals(tx)
      const row = existing(await lockMember(tx, memberId))
      await confirm?.(tx, row)
      const sessionIds = await listSessionIds(tx, memberId)
      const isClosing = await deps.requestDeletion(tx, app, row)
      await removeMember(tx, row)
      await deps.dailyCounts.memberGone(tx, row)
      // An unverified address may belong to another person. Once payments are settled, another email says so.
      if (row.verified && !isClosing) {
        await deps.emails.enqueue(tx, app, row.email, {
          kind: 'account-deleted',
          planName: null,
          refunds: [],
        })
      }
      const at = [memberCacheKey(memberId), ...sessionIds.map(deps.sessionCacheKey)]
      await invalidation.invalidate(tx, { at })
      return row.profileImage
    })
    if (image !== null) await deps.media.discard({ file: image })
  }
}
