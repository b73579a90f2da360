import { queryOptions } from '@tanstack/react-query'
import type { Member } from '@tidings/contracts/membership/members'
import { memberKey } from '#lib/member/member-queries.ts'
import type { MemberSession } from '#lib/member-session/member-session.ts'

/** Reads why no editions are emailed to a member's address; null if they are. */
export function suppressionOf(session: MemberSession, member: Member) {
  return queryOptions({
    queryKey: [memberKey, 'suppression', member.auth.email],
    // Logging out resets it while the screen is still there.
    enabled: () => session.isLoggedIn(),
    queryFn: async () => (await (await session.getClient()).getSuppression()).data,
  })
}
