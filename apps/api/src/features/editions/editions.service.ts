import { type CalendarDate, formatWireDate, type Slot, sortSlots } from '@tidings/contracts/edition-key'
import type { ArchiveList, TimeList } from '@tidings/contracts/editions'
import type { Database } from '#platform/database.ts'
import { listPublished, listPublishedSlots } from './editions.repository.ts'

type Deps = { database: Database; slots: readonly Slot[] }

export type EditionService = ReturnType<typeof createEditionService>

/** Lists published editions for readers. */
export function createEditionService({ database, slots }: Deps) {
  return {
    /** Returns the published slots of a day, by time. */
    async timeList(date: CalendarDate): Promise<TimeList> {
      const published = await listPublishedSlots(database.db, date)
      return { date: formatWireDate(date), timeStamp: sortSlots(published, slots) }
    },
    async archiveList(): Promise<ArchiveList> {
      return await listPublished(database.db)
    },
  }
}
