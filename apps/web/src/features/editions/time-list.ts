import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type CalendarDate, formatWireDate, type Slot, sortSlots } from '@tidings/contracts/edition-key'
import { timeListUrl } from '@tidings/contracts/paths'
import { getJson } from '../../lib/api-client.ts'
import { isRecord, listOf } from '../../lib/wire-reading.ts'

/** Reads the slots of a day that have a published edition, in order of time. */
export function slotsOfDay(date: CalendarDate, slots: readonly Slot[]) {
  const wireDate = formatWireDate(date)
  return queryOptions({
    queryKey: ['editions', 'day', wireDate],
    queryFn: ({ signal }) => getJson(timeListUrl(wireDate), (body) => parseTimeList(body, slots), signal),
  })
}

/** Adds a slot that came by the live feed to the day's list, if that list was ever read. */
export function addSlotToDay(
  queryClient: QueryClient,
  day: { date: CalendarDate; slots: readonly Slot[] },
  slot: string,
): void {
  queryClient.setQueryData(slotsOfDay(day.date, day.slots).queryKey, (labels) =>
    labels === undefined || labels.includes(slot) ? labels : sortSlots([...labels, slot], day.slots),
  )
}

function parseTimeList(body: unknown, slots: readonly Slot[]): string[] | null {
  if (!isRecord(body)) return null
  const labels = listOf(body.timeStamp, (label) => (typeof label === 'string' ? label : null))
  return labels === null ? null : sortSlots(labels, slots)
}
