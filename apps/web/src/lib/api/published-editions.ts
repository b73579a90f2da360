import { queryOptions } from '@tanstack/react-query'
import { type CalendarDate, parseWireDate } from '@tidings/contracts/edition-key'
import { listArchive } from '@tidings/contracts/routes'
import { call } from './api-client.ts'

/** Reads every published edition, newest first. */
export const publishedEditions = queryOptions({
  queryKey: ['editions', 'published'],
  queryFn: async ({ signal }): Promise<{ date: CalendarDate; slot: string }[]> => {
    const list = await call(listArchive, {}, { signal })
    return list.flatMap(({ date: wireDate, time_stamp: slot }) => {
      const date = parseWireDate(wireDate)
      return date === null ? [] : [{ date, slot }]
    })
  },
})
