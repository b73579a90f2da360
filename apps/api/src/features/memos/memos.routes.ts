import { editionReply } from '@tidings/contracts/memos'
import { paths } from '@tidings/contracts/paths'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import type { CachedResponses } from '#http/cached-response.ts'
import { cacheKeys } from '#platform/cache-keys.ts'
import { getEditionId } from '../editions/index.ts'
import type { MemoService } from './memos.service.ts'

type Deps = { memos: MemoService; cachedResponses: CachedResponses }

/** The memos of an edition: what readers ask for most. */
export function registerMemoRoutes(app: App, { memos, cachedResponses }: Deps): void {
  app.get(
    paths.edition,
    {
      config: { access: 'gate' },
      schema: {
        tags: ['Editions'],
        summary: 'The memos of a published edition, in order',
        params: z.object({ key: z.string().describe('MM-DD-YY-slot') }),
        response: { 200: editionReply },
      },
    },
    (request, reply) => {
      // An edition has one key only, so what is in memory is found without reading it.
      const { key } = request.params
      return cachedResponses.send(request, reply, cacheKeys.edition(key), async () =>
        memos.ofEdition(getEditionId(key)),
      )
    },
  )
}
