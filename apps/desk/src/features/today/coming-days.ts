import { queryOptions } from '@tanstack/react-query'
import type { DeskEditionSummary } from '@tidings/contracts/desk/editions'
import * as routes from '@tidings/contracts/desk/routes'
import { type CalendarDate, formatEditionKey, formatIsoDate, type Slot } from '@tidings/contracts/edition-key'
import { call } from '#lib/api/call.ts'
import { addDays, dayText, twoClocks } from '#lib/time/zoned-time.ts'
import type { SlotStatus, Zones } from './slot-column.ts'

const weekDays = 7
// The most that a page holds: also of days with many slots.
const mostEditions = 200

/** The editions of the seven days after a day. */
export function comingEditions(today: CalendarDate) {
  const [from, to] = [formatIsoDate(addDays(today, 1)), formatIsoDate(addDays(today, weekDays))]
  return queryOptions({
    queryKey: ['editions', 'coming', from],
    queryFn: async ({ signal }): Promise<DeskEditionSummary[]> =>
      (await call(routes.listEditions, { query: { from, to, limit: mostEditions } }, { signal })).data,
  })
}

/** One slot of a coming day, in words. */
export type ComingSlot = { key: string; label: string; status: SlotStatus | 'withdrawn'; text: string }

/** A coming day with its slots. */
export type ComingDay = { day: CalendarDate; name: string; slots: ComingSlot[] }

/** Returns the seven days after a day, with the state of each slot. */
export function comingDays(
  editions: readonly DeskEditionSummary[],
  { today, slots, zones }: { today: CalendarDate; slots: readonly Slot[]; zones: Zones },
): ComingDay[] {
  const byKey = new Map(editions.map((edition) => [edition.key, edition]))
  return Array.from({ length: weekDays }, (_, index) => {
    const day = addDays(today, index + 1)
    return {
      day,
      name: dayText(day),
      slots: slots.map(({ label }) => {
        const key = formatEditionKey(day, label)
        return { key, label, ...stateOf(byKey.get(key), zones) }
      }),
    }
  })
}

function stateOf(edition: DeskEditionSummary | undefined, zones: Zones): Pick<ComingSlot, 'status' | 'text'> {
  if (edition === undefined) return { status: 'none', text: 'Nothing yet' }
  const { status, withdrawn, memoCount, readyCount, publishAt } = edition
  switch (status) {
    case 'draft':
      return withdrawn === true
        ? { status: 'withdrawn', text: `Withdrawn, ${readyText(memoCount, readyCount)}` }
        : { status, text: `Draft, ${readyText(memoCount, readyCount)}` }
    case 'scheduled':
      return { status, text: `Scheduled, ${twoClocks(new Date(publishAt), zones.site, zones.own)}` }
    case 'held':
      return { status, text: 'Held' }
    case 'published':
      return { status, text: 'Published' }
  }
}

function readyText(memos: number, ready: number): string {
  if (memos === 0) return 'no memos yet'
  return `${ready} of ${memos} ${memos === 1 ? 'memo' : 'memos'} ready`
}
