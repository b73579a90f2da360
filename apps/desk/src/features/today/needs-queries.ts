import { queryOptions } from '@tanstack/react-query'
import type { DeskComment } from '@tidings/contracts/desk/comments'
import type { DeskEditionSummary } from '@tidings/contracts/desk/editions'
import type { DeskNeeds } from '@tidings/contracts/desk/needs/needs'
import * as routes from '@tidings/contracts/desk/routes'
import { call } from '#lib/api/call.ts'

const minuteMs = 60_000

/** The editions that missed their time. */
export const heldQuery = queryOptions({
  queryKey: ['editions', 'held'],
  async queryFn({ signal }): Promise<DeskEditionSummary[]> {
    return (await call(routes.listEditions, { query: { status: 'held' } }, { signal })).data
  },
})

/** Sends that failed, memos that were left out, dead links and bounces. */
export const needsQuery = queryOptions({
  queryKey: ['editions', 'needs'],
  queryFn: async ({ signal }): Promise<DeskNeeds> => (await call(routes.listNeeds, {}, { signal })).data,
  refetchInterval: minuteMs,
})

/** The comment whose report is the oldest; null without a report. */
export const oldestReport = queryOptions({
  queryKey: ['comments', 'oldest-report'],
  async queryFn({ signal }): Promise<DeskComment | null> {
    const { data } = await call(routes.listComments, { query: { show: 'reported', limit: 1 } }, { signal })
    return data[0] ?? null
  },
})
