import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import * as routes from '@tidings/contracts/desk/routes'
import type { Statistics } from '@tidings/contracts/desk/statistics'
import { call } from '#lib/api/call.ts'

/** The address of the screen: some days until today, or from one day to another. */
export type NumbersSearch = {
  days?: number | undefined
  from?: string | undefined
  to?: string | undefined
}

/** The days of an address that names none. */
export const usualDays = 30

/** The periods that have a word. */
export const periods = [
  { days: 7, name: '7 days' },
  { days: 30, name: '30 days' },
  { days: 365, name: 'A year' },
] as const

/** The numbers of a period. */
export function numbersQuery(search: NumbersSearch) {
  return queryOptions({
    queryKey: ['numbers', search],
    queryFn: async ({ signal }): Promise<Statistics> =>
      (await call(routes.getStatistics, { query: { ...search, days: search.days ?? usualDays } }, { signal }))
        .data,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })
}
