import { queryOptions, useQuery } from '@tanstack/react-query'
import type { MemberSession } from '../member-session/member-session.ts'
import { useServices } from '../services/services.tsx'
import { currentMemberKey } from './member-queries.ts'
import { useIsLoggedIn } from './use-session.ts'

/** Reads the member from the server; offline, the one that was read last on this device. */
export function currentMember(session: MemberSession) {
  return queryOptions({
    queryKey: currentMemberKey,
    async queryFn() {
      const client = await session.getClient()
      try {
        return (await client.getCurrentMember()).data
      } catch (error) {
        const { data } = await client.getCurrentMember({ useCache: true })
        if (data === null) throw error
        return data
      }
    },
  })
}

type UseMemberOptions = {
  /** Reads the member again when the screen opens. For screens that offer a payment: the plan may be seconds old. */
  refetchOnMount?: 'always'
}

/** Returns the query of the logged-in member. Its data is null, or missing, for a visitor. */
export function useMember(options: UseMemberOptions = {}) {
  const { memberSession } = useServices()
  const isLoggedIn = useIsLoggedIn()
  return useQuery({ ...currentMember(memberSession), enabled: isLoggedIn, ...options })
}
