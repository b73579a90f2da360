import { listMemos } from '@tidings/contracts/editions'
import type { App } from '#http/app-type.ts'
import { register } from '#http/endpoints/register.ts'
import type { CachedResponses } from '#http/responses/cached-response.ts'
import { editionCacheKeys, getEditionId } from '../editions/index.ts'
import type { MemoService } from './memos.service.ts'

type Deps = { memos: MemoService; cachedResponses: CachedResponses }

/** Registers the memos of an edition: the route with the most requests. */
export function registerMemoRoutes(app: App, { memos, cachedResponses }: Deps): void {
  register(app, listMemos, (request, reply) => {
    // Each edition has exactly one key, so a cached response is found without parsing it.
    const { key } = request.params
    return cachedResponses.send(request, reply, editionCacheKeys.edition(key), async () =>
      memos.ofEdition(getEditionId(key)),
    )
  })
}
