import type { RateLimits } from '#http/limits/rate-limits.ts'
import type { LiveSession } from '#http/membership/member-session.ts'
import { fail as failMembership } from '#http/membership/membership.errors.ts'
import type { CachedResponse } from '#http/responses/cached-response.ts'
import type { Cache } from '#platform/cache/cache.ts'
import { sha256 } from '#platform/ids.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { editionCacheKeys } from '../editions/index.ts'
import { documentOf, type FeedFormat, type FeedSite, type NewestEditions } from './feed-documents.ts'
import { fail } from './feeds.errors.ts'
import * as feeds from './feeds.repository.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock' | 'ids'> & {
  rateLimits: RateLimits
  cache: Cache<NewestEditions>
  site: FeedSite & { appId: string }
}

/** Ten days of three editions. */
const editionsPerFeed = 30

export type FeedService = ReturnType<typeof createFeedService>

/** Creates the service of the feeds of the newest editions, and of the private addresses of the site's own members. */
export function createFeedService({ database, clock, ids, rateLimits, cache, site }: Deps) {
  const { db } = database
  const { feeds: cacheKey } = editionCacheKeys

  async function load(): Promise<NewestEditions> {
    // Before the editions, so that the date is never newer than they are.
    const changedAt = await feeds.findLastChange(db)
    const editions = await feeds.listNewestEditions(db, editionsPerFeed)
    return { editions, changedAt, documents: new Map() }
  }

  async function newest(): Promise<NewestEditions> {
    return cache.peek(cacheKey) ?? (await cache.load(cacheKey, load))
  }

  function requireSite({ appId }: LiveSession): void {
    if (appId !== site.appId) throw fail('access-denied')
  }

  return {
    async publicFeed(format: FeedFormat): Promise<CachedResponse> {
      return documentOf(await newest(), site, 'public', format)
    },

    /** Throws `feed-not-found` unless the token is a member's. */
    async memberFeed(token: string, format: FeedFormat): Promise<CachedResponse> {
      if (!(await feeds.isFeed(db, site.appId, sha256(token)))) throw fail('feed-not-found')
      return documentOf(await newest(), site, 'member', format)
    },

    async find(session: LiveSession): Promise<{ createdAt: Date } | null> {
      requireSite(session)
      return await feeds.findFeed(db, session.memberId)
    },

    /** Creates the member's address; an earlier one ends. */
    async renew(session: LiveSession): Promise<{ token: string; createdAt: Date }> {
      requireSite(session)
      await rateLimits.consume('memberWrites', session.memberId)
      const [token, createdAt] = [ids.secret(), clock.now()]
      const isStored = await feeds.storeFeed(db, session, { tokenHash: sha256(token), createdAt })
      if (!isStored) throw failMembership('client/invalid-token')
      return { token, createdAt }
    },

    async end({ memberId }: LiveSession): Promise<void> {
      await feeds.removeFeed(db, memberId)
    },
  }
}
