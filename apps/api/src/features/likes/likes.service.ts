import type { LikeMemoReply, LikeMemoRequest } from '@tidings/contracts/likes'
import type { RateLimits } from '#http/rate-limits.ts'
import type { Invalidation } from '#platform/cache/invalidation.ts'
import { cacheKeys } from '#platform/cache-keys.ts'
import type { Database } from '#platform/database.ts'
import { AppError } from '#platform/errors.ts'
import { fail as failMemo } from '../memos/index.ts'
import { addLike, findCounter, removeLike } from './likes.repository.ts'

type Deps = { database: Database; rateLimits: RateLimits; invalidation: Invalidation }

/** Who likes: the reader's id, and whether this browser was given it just now. */
export type Liker = { readerId: string | null; isNew: boolean; address: string }

export type LikeService = {
  /** Sets or takes back one reader's like; repeating it changes nothing. Throws `memo-not-found`. */
  set(liker: Liker, request: LikeMemoRequest): Promise<LikeMemoReply>
}

export function createLikeService({ database, rateLimits, invalidation }: Deps): LikeService {
  return {
    async set({ readerId, isNew, address }, { id, add }) {
      if (readerId === null) return { id, counter: existing(await findCounter(database.db, id)) }
      if (isNew && add) await rateLimits.check('newReaders', address)
      const outcome = await database.transaction(async (tx) => {
        const change = add ? addLike : removeLike
        const result = existing(await change(tx, id, readerId))
        if (result.changed)
          await invalidation.invalidate(tx, { soon: [cacheKeys.edition(result.editionKey)] })
        return result
      })
      // Only new readers whose like counted use up the address's share: a repeated call costs nothing.
      if (isNew && add && outcome.changed) await rateLimits.consume('newReaders', address).catch(passOver)
      return { id, counter: outcome.counter }
    },
  }
}

/** The like is stored, so it is answered as such; the limit that it went beyond holds for the next reader. */
function passOver(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'too-many-requests') throw error
}

function existing<T>(found: T | null): T {
  if (found !== null) return found
  throw failMemo('memo-not-found')
}
