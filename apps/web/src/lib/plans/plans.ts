import { queryOptions } from '@tanstack/react-query'
import type { MemberSession } from '../member-session/member-session.ts'

/** Reads the configuration of the site's app. */
export function appOf(session: MemberSession) {
  return queryOptions({
    queryKey: ['app'],
    queryFn: async () => (await (await session.getClient()).getApp()).data,
  })
}

/** Reads the plans of the site's app, with their prices. */
export function plansOf(session: MemberSession) {
  return queryOptions({
    queryKey: ['plans'],
    queryFn: async ({ client }) => (await client.fetchQuery(appOf(session))).plans,
  })
}
