import { findMember } from '#features/members/index.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/database.ts'
import { findSuppression, liftSuppression } from './suppression.repository.ts'

export type SuppressionService = ReturnType<typeof createSuppressionService>

/** Creates the service that shows and lifts the suppression of a member's own address. */
export function createSuppressionService({ database, clock }: { database: Database; clock: Clock }) {
  return {
    async find(memberId: string) {
      const member = await findMember(database.db, memberId)
      const row = member === null ? null : await findSuppression(database.db, member.email)
      return row === null ? null : { kind: row.kind, since: row.suppressedAt.toISOString() }
    },
    async lift(memberId: string): Promise<void> {
      const member = await findMember(database.db, memberId)
      if (member !== null) await liftSuppression(database.db, member.email, clock.now())
    },
  }
}
