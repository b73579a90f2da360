import { queryOptions } from '@tanstack/react-query'
import * as routes from '@tidings/contracts/desk/routes'
import { call } from './api/call.ts'

/** The people of the desk, by name. */
export const peopleQuery = queryOptions({
  queryKey: ['people'],
  queryFn: async ({ signal }) => (await call(routes.listPeople, {}, { signal })).data,
})
