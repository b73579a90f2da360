import { queryOptions } from '@tanstack/react-query'
import type { MemberSession } from './member-session.ts'

/** Reads the plans of the site's app, with their prices. */
export function plansOf(session: MemberSession) {
  return queryOptions({
    queryKey: ['plans'],
    queryFn: async () => (await (await session.getClient()).getPlans()).data,
  })
}
