import type { QueryClient } from '@tanstack/react-query'
import { deleteKeptForMember } from '../kept.ts'
import type { MemberSession } from './member-session.ts'

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
    if (member !== undefined) queryClient.setQueryData(currentMemberKey, member)
    if (isOtherSession) onOther()
  })
}
