import { type CalendarDate, formatWireDate, type Slot, sortSlots } from '@tidings/contracts/edition-key'
import type { ArchiveList, TimeList } from '@tidings/contracts/editions'
import type { Database } from '#platform/database.ts'
import { listPublished, listPublishedSlots } from './editions.repository.ts'

type Deps = { database: Database; slots: readonly Slot[] }

export type EditionService = {
  /** The published slots of a day, in the order of their times; empty when there are none. */
  timeList(date: CalendarDate): Promise<TimeList>
  archiveList(): Promise<ArchiveList>
}

/** What readers may know of editions without their memos. */
export function createEditionService({ database, slots }: Deps): EditionService {
  return {
    async timeList(date) {
      const published = await listPublishedSlots(database.db, date)
      return { date: formatWireDate(date), timeStamp: sortSlots(published, slots) }
    },
    archiveList: () => listPublished(database.db),
  }
}
