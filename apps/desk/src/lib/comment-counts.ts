import { queryOptions } from '@tanstack/react-query'
import * as routes from '@tidings/contracts/desk/routes'
import { call } from './api/call.ts'

/** How many comments are reported, new and hidden. */
export const commentCounts = queryOptions({
  queryKey: ['comments', 'counts'],
  queryFn: async ({ signal }) => (await call(routes.countComments, {}, { signal })).data,
  refetchInterval: 60_000,
})
