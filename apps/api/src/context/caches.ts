import type { KnownSession } from '../features/auth/index.ts'
import { type DatedStartEditions, editionCacheKeys } from '../features/editions/index.ts'
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
// Bounds how long other processes miss a like or login whose process died before it told them (ADR 97).
const maxAgeMs = 60_000
const editionPrefix = editionCacheKeys.edition('')

export type Caches = ReturnType<typeof createCaches>

/** Creates the caches, which changes in any process invalidate. */
export function createCaches(infrastructure: Infrastructure) {
  const { config, notifications, availability, metrics } = infrastructure
  const invalidated = { isTrustworthy: () => notifications.isListening(), quietMs }
  const small = { ...invalidated, maxBytes: 100, sizeOf: () => 1 }
  const staleMs = config.database.staleIfErrorSeconds * 1_000
  // Only what every reader gets: sessions, keys and members are never used unless they are current.
  const stale = staleMs === 0 ? {} : { staleIfError: { availability, staleMs } }

  const replies = createCache<CachedResponse>({
    ...invalidated,
    ...stale,
    maxAgeMsOf: (key) => (key.startsWith(editionPrefix) ? maxAgeMs : 0),
    maxBytes: cachedResponsesBytes,
    sizeOf: (reply) => reply.bytes,
  })
  const caches = {
    usedPictures: createCache<ReadonlySet<string>>({
      ...invalidated,
      ...stale,
      maxBytes: usedPicturesBytes,
      sizeOf: (files) => 100 + files.size * 60,
    }),
    start: createCache<DatedStartEditions>({ ...small, ...stale }),
    feeds: createCache<NewestEditions>({ ...small, ...stale }),
    apps: createCache<AppDirectory>({ ...small, ...stale }),
    groups: createCache<GroupsByApp>(small),
    keys: createCache<KeyRing>(small),
    sessions: createCache<KnownSession>({ ...small, maxBytes: sessionsInMemory }),
    members: createCache<Buffer>({
      ...invalidated,
      maxAgeMsOf: () => maxAgeMs,
      maxBytes: memberRepliesBytes,
      sizeOf: (bytes) => bytes.byteLength + 200,
    }),
  }
  return {
    caches,
    invalidation: createInvalidation(infrastructure, [replies, ...Object.values(caches)]),
    cachedResponses: createCachedResponses(replies, metrics),
    servesWithoutDatabase: replies.servesWithoutDatabase,
  }
}
