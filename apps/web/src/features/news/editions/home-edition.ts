import { useQuery } from '@tanstack/react-query'
import type { CalendarDate } from '@tidings/contracts/edition-key'
import { useServices } from '#lib/services/services.tsx'
import { newestEdition } from './newest-edition.ts'
import type { Edition } from './sentences.ts'
import { slotsOfDay } from './time-list.ts'

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
