import { archiveListReply, timeListReply } from '@tidings/contracts/editions'
import { paths } from '@tidings/contracts/paths'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { routeOptions } from '#http/endpoints/route-options.ts'
import type { CachedResponses } from '#http/responses/cached-response.ts'
import { editionCacheKeys } from './cache-keys.ts'
import { getDate } from './edition-id.ts'
import type { EditionService } from './editions.service.ts'

type Deps = { editions: EditionService; cachedResponses: CachedResponses }

/** Registers the time list of a day and the archive list. */
export function registerEditionRoutes(app: App, { editions, cachedResponses }: Deps): void {
  app.get(
    paths.timeList,
    routeOptions('gate', 'Editions', 'The slots of a day that have a published edition', {
      params: z.object({ date: z.string().describe('MM-DD-YY') }),
      reply: timeListReply,
    }),
    (request, reply) => {
      const { date } = request.params
      return cachedResponses.send(request, reply, editionCacheKeys.timeList(date), async () =>
        editions.timeList(getDate(date)),
      )
    },
  )

  app.get(
    paths.archiveList,
    routeOptions('gate', 'Editions', 'Every published edition, newest first', { reply: archiveListReply }),
    (request, reply) =>
      cachedResponses.send(request, reply, editionCacheKeys.archive, () => editions.archiveList()),
  )
}
