import { queryOptions } from '@tanstack/react-query'
import { type CalendarDate, parseWireDate } from '@tidings/contracts/edition-key'
import { archiveListReply } from '@tidings/contracts/editions'
import { paths } from '@tidings/contracts/paths'
import { getJson } from '#lib/api-client.ts'

/** Reads the date and slot of the newest edition; null before the first one is published. */
export const newestEdition = queryOptions({
  queryKey: ['editions', 'newest'],
  queryFn: async ({ signal }): Promise<{ date: CalendarDate; slot: string } | null> => {
    const [newest] = await getJson(paths.archiveList, archiveListReply, signal)
    const date = newest === undefined ? null : parseWireDate(newest.date)
    return newest === undefined || date === null ? null : { date, slot: newest.time_stamp }
  },
})
