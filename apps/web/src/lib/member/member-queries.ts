import type { Query, QueryClient } from '@tanstack/react-query'
import type { Member } from '@tidings/contracts/membership/members'
import type { MemberSession } from '../member-session/member-session.ts'
import { deleteKeptForMember } from '../storage/kept.ts'

/** First part of the query keys of everything that only this member may see. */
export const memberKey = 'member'

export const currentMemberKey = [memberKey, 'current'] as const

/** Keeps the cached member equal to the client's, and drops what was read for another member. */
export function followSession(queryClient: QueryClient, session: MemberSession, onOther: () => void): void {
  session.subscribe(({ member, isOtherSession }) => {
    if (isOtherSession) {
      void queryClient.resetQueries({ queryKey: [memberKey] })
      void deleteKeptForMember().catch(() => undefined)
    }
    const before = queryClient.getQueryData<Member | null>(currentMemberKey)
    if (member !== undefined) queryClient.setQueryData(currentMemberKey, member)
    // Deliveries wait for the address, which may be confirmed in another tab.
    if (before && member && before.verified !== member.verified) {
      const isOther = ({ queryKey }: Query) => queryKey[1] !== currentMemberKey[1]
      void queryClient.invalidateQueries({ queryKey: [memberKey], predicate: isOther })
    }
    if (isOtherSession) onOther()
  })
}
