import { queryOptions } from '@tanstack/react-query'
import type { You } from '@tidings/contracts/desk/people/you'
import * as routes from '@tidings/contracts/desk/routes'
import { ApiError, call } from './api/call.ts'

/** The person at the desk; null before the sign-in. */
export const youQuery = queryOptions({
  queryKey: ['you'],
  async queryFn({ signal }): Promise<You | null> {
    try {
      return (await call(routes.getYou, {}, { signal })).data
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null
      throw error
    }
  },
  staleTime: 60_000,
})
