import { getTimeList, listArchive } from '@tidings/contracts/editions'
import type { App } from '#http/app-type.ts'
import { register } from '#http/endpoints/register.ts'
import type { CachedResponses } from '#http/responses/cached-response.ts'
import { editionCacheKeys, getDate } from './edition-keys.ts'
import type { EditionService } from './editions.service.ts'

type Deps = { editions: EditionService; cachedResponses: CachedResponses }

/** Registers the time list of a day and the archive list. */
export function registerEditionRoutes(app: App, { editions, cachedResponses }: Deps): void {
  register(app, getTimeList, (request, reply) => {
    const { date } = request.params
    return cachedResponses.send(request, reply, editionCacheKeys.timeList(date), async () =>
      editions.timeList(getDate(date)),
    )
  })

  register(app, listArchive, (request, reply) =>
    cachedResponses.send(request, reply, editionCacheKeys.archive, () => editions.archiveList()),
  )
}
