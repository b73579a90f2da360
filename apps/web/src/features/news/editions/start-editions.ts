import type { QueryClient } from '@tanstack/react-query'
import { parseEditionKey, parseWireDate, type Slot, sortSlots } from '@tidings/contracts/edition-key'
import type { SiteStart } from '@tidings/contracts/site/site-start'
import { newestEdition, slotsOfDay } from './edition-queries.ts'

/** Takes the time lists and the newest edition from the page's shell, which saves their requests. */
export function seedEditions(
  queryClient: QueryClient,
  { editions }: SiteStart,
  slots: readonly Slot[],
): void {
  if (editions === undefined) return
  for (const { date, timeStamp } of editions.timeLists) {
    const day = parseWireDate(date)
    if (day !== null) queryClient.setQueryData(slotsOfDay(day, slots).queryKey, sortSlots(timeStamp, slots))
  }
  const newest = editions.newest === null ? null : parseEditionKey(editions.newest)
  queryClient.setQueryData(newestEdition.queryKey, newest)
}
