import { queryOptions } from '@tanstack/react-query'
import { parseWireDate } from '@tidings/contracts/edition-key'
import { paths } from '@tidings/contracts/paths'
import { getJson } from '../../lib/api-client.ts'
import { isRecord, listOf, textOf } from '../../lib/wire-reading.ts'
import type { EditionRef } from './edition.ts'

/** Reads which edition is the newest there is; null before the first one came out. */
export const newestEdition = queryOptions({
  queryKey: ['editions', 'newest'],
  queryFn: async ({ signal }) => {
    const editions = await getJson(paths.archiveList, (body) => listOf(body, parseEntry), signal)
    return editions[0] ?? null
  },
})

function parseEntry(item: unknown): EditionRef | null {
  if (!isRecord(item)) return null
  const date = parseWireDate(textOf(item, 'date'))
  const slot = textOf(item, 'time_stamp')
  return date === null || slot === '' ? null : { date, slot }
}
