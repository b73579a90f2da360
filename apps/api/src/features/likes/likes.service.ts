import type { LikeMemoReply, LikeMemoRequest } from '@tidings/contracts/editions'
import type { RateLimits } from '#http/limits/rate-limits.ts'
import { hasCode } from '#platform/errors.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { editionCacheKeys } from '../editions/index.ts'
import { fail as failMemo } from '../memos/index.ts'
import { findCounter, setLike } from './likes.repository.ts'

type Deps = Pick<PlatformDeps, 'database' | 'invalidation'> & { rateLimits: RateLimits }

/** The reader's id, and whether this browser received it in the current request. */
type Liker = { readerId: string | null; isNew: boolean; address: string }

export type LikeService = ReturnType<typeof createLikeService>

export function createLikeService({ database, rateLimits, invalidation }: Deps) {
  return {
    /** Adds or removes one reader's like; idempotent. Throws `memo-not-found`. */
    async set(
      { readerId, isNew, address }: Liker,
      { id: memoId, add }: LikeMemoRequest,
    ): Promise<LikeMemoReply> {
      if (readerId === null) return { id: memoId, counter: existing(await findCounter(database.db, memoId)) }
      if (isNew && add) await rateLimits.check('newReaders', address)
      const like = await setLike(database.sql, { memoId, readerId, add })
      const { counter, changed, editionKey } = existing(like)
      if (changed)
        invalidation.invalidateLater(database.sql, { soon: [editionCacheKeys.edition(editionKey)] })
      // A repeated call costs nothing. The like is stored, so an exceeded limit affects only the next new reader.
      if (isNew && add && changed) {
        await rateLimits.consume('newReaders', address).catch((error: unknown) => {
          if (!hasCode(error, 'too-many-requests')) throw error
        })
      }
      return { id: memoId, counter }
    },
  }
}

function existing<T>(found: T | null): T {
  if (found !== null) return found
  throw failMemo('memo-not-found')
}
