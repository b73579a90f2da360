import type { KnownSession } from '../features/auth/index.ts'
import type { DatedStartEditions } from '../features/editions/index.ts'
import type { NewestEditions } from '../features/feeds/index.ts'
import type { GroupsByApp } from '../features/widget-config/index.ts'
import { type CachedResponse, createCachedResponses } from '../http/responses/cached-response.ts'
import type { KeyRing } from '../platform/access-tokens/signing-keys.ts'
import { createCache } from '../platform/cache/cache.ts'
import { createInvalidation } from '../platform/cache/invalidation.ts'
import type { AppDirectory } from '../platform/membership-apps/membership-apps.ts'
import type { Infrastructure } from './infrastructure.ts'

const cachedResponsesBytes = 64_000_000
const usedPicturesBytes = 4_000_000
const memberRepliesBytes = 64_000_000
const sessionsInMemory = 100_000
// Bursts of likes reload an edition at most four times a second.
const quietMs = 250

export type Caches = ReturnType<typeof createCaches>

/** Creates the caches, which changes in any process invalidate. */
export function createCaches({ notifications, metrics }: Infrastructure) {
  const invalidated = { isTrustworthy: () => notifications.isListening(), quietMs }
  const small = { ...invalidated, maxBytes: 100, sizeOf: () => 1 }

  const replies = createCache<CachedResponse>({
    ...invalidated,
    maxBytes: cachedResponsesBytes,
    sizeOf: (reply) => reply.bytes,
  })
  const caches = {
    usedPictures: createCache<ReadonlySet<string>>({
      ...invalidated,
      maxBytes: usedPicturesBytes,
      sizeOf: (files) => 100 + files.size * 60,
    }),
    start: createCache<DatedStartEditions>(small),
    feeds: createCache<NewestEditions>(small),
    apps: createCache<AppDirectory>(small),
    groups: createCache<GroupsByApp>(small),
    keys: createCache<KeyRing>(small),
    sessions: createCache<KnownSession>({ ...small, maxBytes: sessionsInMemory }),
    members: createCache<Buffer>({
      ...invalidated,
      maxBytes: memberRepliesBytes,
      sizeOf: (bytes) => bytes.byteLength + 200,
    }),
  }
  return {
    caches,
    invalidation: createInvalidation(notifications, [replies, ...Object.values(caches)]),
    cachedResponses: createCachedResponses(replies, metrics),
  }
}
