import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type CalendarDate, formatWireDate, type Slot, sortSlots } from '@tidings/contracts/edition-key'
import * as routes from '@tidings/contracts/routes'
import { call } from '#lib/api/api-client.ts'

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
