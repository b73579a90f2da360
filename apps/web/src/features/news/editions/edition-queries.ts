import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { type CalendarDate, formatWireDate, type Slot, sortSlots } from '@tidings/contracts/edition-key'
import * as routes from '@tidings/contracts/routes'
import { call } from '#lib/api/api-client.ts'
import { publishedEditions } from '#lib/api/published-editions.ts'
import { useServices } from '#lib/services/services.tsx'
import type { Edition } from './sentences.ts'

/** Reads the slots of a day that have a published edition, in order of time. */
export function slotsOfDay(date: CalendarDate, slots: readonly Slot[]) {
  const wireDate = formatWireDate(date)
  return queryOptions({
    queryKey: ['editions', 'day', wireDate],
    queryFn: async ({ signal }) => {
      const { timeStamp } = await call(routes.getTimeList, { params: { date: wireDate } }, { signal })
      return sortSlots(timeStamp, slots)
    },
  })
}

/** Adds a slot from the live feed to the cached list of its day, if there is one. */
export function addSlotToDay(
  queryClient: QueryClient,
  day: { date: CalendarDate; slots: readonly Slot[] },
  slot: string,
): void {
  queryClient.setQueryData(slotsOfDay(day.date, day.slots).queryKey, (labels) =>
    labels === undefined || labels.includes(slot) ? labels : sortSlots([...labels, slot], day.slots),
  )
}

/** Reads the newest edition; null before the first one is published. The server's shell can provide it. */
export const newestEdition = queryOptions({
  queryKey: ['editions', 'newest'],
  queryFn: async ({ client }): Promise<Edition | null> => {
    const [newest] = await client.fetchQuery({ ...publishedEditions, staleTime: 0 })
    return newest ?? null
  },
})

/** Returns the newest edition of a reader's day or, before the day's first one, the newest of all. */
export function useHomeEdition(date: CalendarDate, { enabled }: { enabled: boolean }) {
  const { config } = useServices()
  const day = useQuery({ ...slotsOfDay(date, config.slots), enabled })
  const isEmptyDay = day.data?.length === 0
  const newest = useQuery({ ...newestEdition, enabled: enabled && isEmptyDay })
  const slot = day.data?.at(-1)
  const ofDay: Edition | null = slot === undefined ? null : { date, slot }
  return {
    edition: isEmptyDay ? (newest.data ?? null) : ofDay,
    /** Whether no edition was ever published. */
    isEmptySite: isEmptyDay && newest.data === null,
    /** The request that decides. */
    query: isEmptyDay ? newest : day,
  }
}
