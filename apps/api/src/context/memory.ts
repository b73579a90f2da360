import type { KnownSession } from '../features/auth/index.ts'
import type { GroupsByApp } from '../features/widget-config/index.ts'
import { createReadyReplies, type ReadyReply } from '../http/ready-reply.ts'
import type { KeyRing } from '../platform/access-tokens/signing-keys.ts'
import { createFreshCache } from '../platform/fresh-cache.ts'
import type { AppDirectory } from '../platform/membership-apps/membership-apps.ts'
import { createStaleness } from '../platform/stale.ts'
import type { Ground } from './ground.ts'

const readyRepliesBytes = 64_000_000
const usedPicturesBytes = 4_000_000
const memberRepliesBytes = 64_000_000
const sessionsInMemory = 100_000
// A storm of likes reloads an edition four times a second at most, and readers still see each within a second.
const quietMs = 250

export type Memory = ReturnType<typeof createMemory>

/** What is kept in memory, in step with every change that any process makes. */
export function createMemory({ notifications, metrics }: Ground) {
  const inStep = { isTrustworthy: () => notifications.isListening(), quietMs }
  // A few entries each, which is less than any bound.
  const few = { ...inStep, maxBytes: 100, sizeOf: () => 1 }

  const replies = createFreshCache<ReadyReply>({
    ...inStep,
    maxBytes: readyRepliesBytes,
    sizeOf: (reply) => reply.bytes,
  })
  const caches = {
    usedPictures: createFreshCache<ReadonlySet<string>>({
      ...inStep,
      maxBytes: usedPicturesBytes,
      sizeOf: (files) => 100 + files.size * 60,
    }),
    apps: createFreshCache<AppDirectory>(few),
    groups: createFreshCache<GroupsByApp>(few),
    keys: createFreshCache<KeyRing>(few),
    sessions: createFreshCache<KnownSession>({ ...few, maxBytes: sessionsInMemory }),
    members: createFreshCache<Buffer>({
      ...inStep,
      maxBytes: memberRepliesBytes,
      sizeOf: (bytes) => bytes.byteLength + 200,
    }),
  }
  return {
    caches,
    staleness: createStaleness(notifications, [replies, ...Object.values(caches)]),
    readyReplies: createReadyReplies(replies, metrics),
  }
}
