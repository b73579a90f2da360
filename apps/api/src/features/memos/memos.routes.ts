import { editionReply } from '@tidings/contracts/editions'
import { paths } from '@tidings/contracts/paths'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { routeOptions } from '#http/endpoints/route-options.ts'
import type { CachedResponses } from '#http/responses/cached-response.ts'
import { editionCacheKeys, getEditionId } from '../editions/index.ts'
import type { MemoService } from './memos.service.ts'

type Deps = { memos: MemoService; cachedResponses: CachedResponses }

/** Registers the memos of an edition: the route with the most requests. */
export function registerMemoRoutes(app: App, { memos, cachedResponses }: Deps): void {
  app.get(
    paths.edition,
    routeOptions('gate', 'Editions', 'The memos of a published edition, in order', {
      params: z.object({ key: z.string().describe('MM-DD-YY-slot') }),
      reply: editionReply,
    }),
    (request, reply) => {
      // Each edition has exactly one key, so a cached response is found without parsing it.
      const { key } = request.params
      return cachedResponses.send(request, reply, editionCacheKeys.edition(key), async () =>
        memos.ofEdition(getEditionId(key)),
      )
    },
  )
}
