import { queryOptions } from '@tanstack/react-query'
import { parseWireDate } from '@tidings/contracts/edition-key'
import { archiveListReply } from '@tidings/contracts/editions'
import { paths } from '@tidings/contracts/paths'
import { getJson } from '#lib/api-client.ts'
import type { Edition } from './sentences.ts'

/** Reads every published edition, newest first. */
export const publishedEditions = queryOptions({
  queryKey: ['editions', 'published'],
  queryFn: async ({ signal }): Promise<Edition[]> => {
    const list = await getJson(paths.archiveList, archiveListReply, signal)
    return list.flatMap(({ date: wireDate, time_stamp: slot }) => {
      const date = parseWireDate(wireDate)
      return date === null ? [] : [{ date, slot }]
    })
  },
})

/** Reads the newest edition; null before the first one is published. The server's shell can provide it. */
export const newestEdition = queryOptions({
  queryKey: ['editions', 'newest'],
  queryFn: async ({ client }): Promise<Edition | null> => {
    const [newest] = await client.fetchQuery({ ...publishedEditions, staleTime: 0 })
    return newest ?? null
  },
})
