import { formatIsoDate } from '@tidings/contracts/edition-key'
import type { RateLimits } from '#http/limits/rate-limits.ts'
import { fromDatabaseDate } from '#platform/database-date.ts'
import { fail as failService } from '#platform/errors.ts'
import type { MembershipApp } from '#platform/membership-apps/membership-apps.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { writeMemberExport } from './member-export.repository.ts'
import { existing } from './member-record.ts'
import { toWireMember } from './members.mapper.ts'
import { findMember } from './members.repository.ts'

export type MemberExportDeps = Pick<PlatformDeps, 'database' | 'clock'> & {
  rateLimits: RateLimits
  siteUrl: URL
}

/** Returns the function that exports members' data, one member at a time. */
export function createMemberExport({ database, clock, rateLimits, siteUrl }: MemberExportDeps) {
  let isExporting = false

  /**
   * Yields everything stored about the member as JSON. Throws `service-busy`, and `too-many-requests` for members only:
   * an operator replies to data requests.
   */
  return async function* exportMember(
    app: MembershipApp,
    memberId: string,
    requester: 'member' | 'operator' = 'member',
  ): AsyncGenerator<string> {
    if (isExporting) throw failService('service-busy')
    isExporting = true
    try {
      if (requester === 'member') await rateLimits.consume('exports', memberId)
      const row = existing(await findMember(database.db, memberId))
      yield* writeMemberExport(database.pool, memberId, {
        exportedAt: clock.now().toISOString(),
        member: toWireMember(row, app, siteUrl),
        termsAcceptedAt: row.termsAcceptedAt.toISOString(),
        termsOrigin: row.termsOrigin,
        pausedUntil: row.deliveriesPausedUntil && formatIsoDate(fromDatabaseDate(row.deliveriesPausedUntil)),
        pdfFormat: row.pdfFormat,
      })
    } finally {
      isExporting = false
    }
  }
}
