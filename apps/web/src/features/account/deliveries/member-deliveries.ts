import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Member } from '@tidings/contracts/membership/members'
import { memberKey } from '#lib/member/member-queries.ts'
import type { MemberSession } from '#lib/member-session/member-session.ts'

/** The beginning of the query key of what a member receives; the member follows. */
export const deliveriesKey = [memberKey, 'deliveries'] as const

/** Reads what a member receives. It depends on the plan, the address and the chosen methods, so on the whole member. */
export function deliveriesOf(session: MemberSession, member: Member) {
  return queryOptions({
    queryKey: [...deliveriesKey, member],
    // Logging out resets it while the screen is still there.
    enabled: () => session.isLoggedIn(),
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: async () => (await (await session.getClient()).getDeliveries()).data,
  })
}
