import type { DeskNeeds } from '@tidings/contracts/desk/needs/needs'
import { formatWireDate } from '@tidings/contracts/edition-key'
import { addDays, dateInZone, idOf, keyOf } from '#features/editions/index.ts'
import { listDeadLinks } from '#features/readiness/index.ts'
import { fromDatabaseDate, toDatabaseDate } from '#platform/database-date.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { countBounces, type FailedSend, listFailedSends, listLeftOut } from './needs.repository.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock'> & { timeZone: string }

const dayMs = 86_400_000
const failedDays = 2
const shownDays = 7

export type NeedsService = ReturnType<typeof createNeeds>

/** Lists what needs an editor. */
export function createNeeds({ database: { db }, clock, timeZone }: Deps) {
  const before = (days: number) => new Date(clock.now().getTime() - days * dayMs)

  return {
    async read(): Promise<DeskNeeds> {
      const today = dateInZone(clock.now(), timeZone)
      const dayAt = (days: number) => toDatabaseDate(addDays(today, days))
      const [failedSends, leftOut, deadLinks, bounces] = await Promise.all([
        listFailedSends(db, before(failedDays)),
        listLeftOut(db, dayAt(-shownDays)),
        listDeadLinks(db, { first: dayAt(0), last: dayAt(1) }),
        countBounces(db, before(shownDays)),
      ])
      return {
        failedSends: failedSends.map(toFailedSend),
        leftOut: leftOut.map(({ date, slot, ...memo }) => ({
          edition: keyOf(idOf({ date, slot })),
          ...memo,
        })),
        deadLinks: deadLinks.map(({ date, slot, ...link }) => ({
          edition: keyOf(idOf({ date, slot })),
          ...link,
        })),
        bounces,
      }
    },
  }
}

function toFailedSend({ date, slot, digestDate, ...send }: FailedSend): DeskNeeds['failedSends'][number] {
  return {
    edition: date === null || slot === null ? null : keyOf(idOf({ date, slot })),
    digest: digestDate === null ? null : formatWireDate(fromDatabaseDate(digestDate)),
    ...send,
  }
}
