import type { KnownSession } from '../features/auth/index.ts'
import type { GroupsByApp } from '../features/widget-config/index.ts'
import { type CachedResponse, createCachedResponses } from '../http/cached-response.ts'
import type { KeyRing } from '../platform/access-tokens/signing-keys.ts'
import { createCache } from '../platform/cache/cache.ts'
import { createInvalidation } from '../platform/cache/invalidation.ts'
import type { AppDirectory } from '../platform/membership-apps/membership-apps.ts'
import type { Infrastructure } from './infrastructure.ts'

const cachedResponsesBytes = 64_000_000
const usedPicturesBytes = 4_000_000
const memberRepliesBytes = 64_000_000
const sessionsInMemory = 100_000
// A storm of likes reloads an edition four times a second at most, and readers still see each within a second.
const quietMs = 250

export type Caches = ReturnType<typeof createCaches>

/** What is kept in memory, in step with every change that any process makes. */
export function createCaches({ notifications, metrics }: Infrastructure) {
  const inStep = { isTrustworthy: () => notifications.isListening(), quietMs }
  // A few entries each, which is less than any bound.
  const few = { ...inStep, maxBytes: 100, sizeOf: () => 1 }

  const replies = createCache<CachedResponse>({
    ...inStep,
    maxBytes: cachedResponsesBytes,
    sizeOf: (reply) => reply.bytes,
  })
  const caches = {
    usedPictures: createCache<ReadonlySet<string>>({
      ...inStep,
      maxBytes: usedPicturesBytes,
      sizeOf: (files) => 100 + files.size * 60,
    }),
    apps: createCache<AppDirectory>(few),
    groups: createCache<GroupsByApp>(few),
    keys: createCache<KeyRing>(few),
    sessions: createCache<KnownSession>({ ...few, maxBytes: sessionsInMemory }),
    members: createCache<Buffer>({
      ...inStep,
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
