import { formatWireDate } from '@tidings/contracts/edition-key'
import type { TimeList } from '@tidings/contracts/editions'
import type { StartEditions } from '@tidings/contracts/site/site-start'
import { DateTime } from 'luxon'
import type { Cache } from '#platform/cache/cache.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { editionCacheKeys, idOf, keyOf } from './edition-keys.ts'
import { findNewestPublished } from './editions.repository.ts'
import type { EditionService } from './editions.service.ts'

/** The lists and the site's date that they belong to. */
export type DatedStartEditions = { today: string; lists: StartEditions }

type Deps = Pick<PlatformDeps, 'database' | 'clock'> & {
  timeZone: string
  editions: EditionService
  cache: Cache<DatedStartEditions>
}

/** Returns the function that reads the lists in the page's shell, from memory until an edition or the day changes. */
export function createStartEditions({ database, clock, timeZone, editions, cache }: Deps) {
  async function load(today: DateTime): Promise<DatedStartEditions> {
    const timeLists: TimeList[] = []
    for (const days of [-1, 0, 1]) timeLists.push(await editions.timeList(today.plus({ days })))
    const newest = await findNewestPublished(database.db)
    return {
      today: formatWireDate(today),
      lists: { timeLists, newest: newest === null ? null : keyOf(idOf(newest)) },
    }
  }

  return async (): Promise<StartEditions> => {
    const today = DateTime.fromJSDate(clock.now(), { zone: timeZone })
    const cached = await cache.load(editionCacheKeys.start, () => load(today))
    if (cached.today === formatWireDate(today)) return cached.lists
    cache.drop(editionCacheKeys.start)
    return (await cache.load(editionCacheKeys.start, () => load(today))).lists
  }
}
