import type pg from 'pg'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import type { Config } from '#config/config.ts'
import { orUnavailable } from '#platform/database.ts'
import { AppError, hasCode } from '#platform/errors.ts'
import { sha256 } from '#platform/ids.ts'
import { networksOf } from './networks.ts'

export type RateLimitName = keyof Config['rateLimits']

export type RateLimits = ReturnType<typeof createRateLimits>

// Counting in Postgres would take almost as long as the call itself.
const countedByProcess: ReadonlySet<RateLimitName> = new Set<RateLimitName>(['searches'])

/** Guesses at what all networks share: their limits per network, in all, and per network beyond the total. */
const guessLimits = {
  gate: { network: 'gateTries', inAll: 'gateTriesInAll', beyond: 'gateTriesBeyondTotal' },
  code: { network: 'wrongCodes', inAll: 'wrongCodesInAll', beyond: 'wrongCodesBeyondTotal' },
} as const satisfies Record<string, Record<'network' | 'inAll' | 'beyond', RateLimitName>>

/** How many times the limit a key has, apart from the share of its network, and the most calls that it may have. */
type Scale = { share?: number; max?: number }

/**
 * Creates rate limits in Postgres for all processes, except for cheap calls. An address counts for each of its networks.
 * Networks and names are stored hashed.
 */
export function createRateLimits(options: { pool: pg.Pool; limits: Config['rateLimits']; secret: string }) {
  const limiters = new Map<string, RateLimiterAbstract>()
  function limiterOf(name: RateLimitName, points: number): RateLimiterAbstract {
    const { points: narrow, seconds: duration } = options.limits[name]
    const keyPrefix = points === narrow ? name : `${name} ${points}`
    const limiterKey = `${name} ${points}`
    const known = limiters.get(limiterKey)
    if (known !== undefined) return known
    const limit = { keyPrefix, points, duration }
    const limiter = countedByProcess.has(name)
      ? new RateLimiterMemory(limit)
      : new RateLimiterPostgres({
          ...limit,
          storeClient: options.pool,
          storeType: 'pool',
          tableName: 'rate_limit',
          tableCreated: true,
          clearExpiredByTimeout: false,
          // Calls that are refunded later may exceed the limit for a moment; a flood goes far beyond.
          inMemoryBlockOnConsumed: 2 * points + 1,
        })
    limiters.set(limiterKey, limiter)
    return limiter
  }

  /** Returns the limiter and the key of each network of an address; a name that is no address has one. */
  function countersOf(
    name: RateLimitName,
    address: string,
    { share = 1, max = Number.POSITIVE_INFINITY }: Scale,
  ) {
    const { points } = options.limits[name]
    return networksOf(address).map((network) => ({
      points: Math.max(points, Math.min(points * share * network.share, max)),
      key: sha256(`${options.secret} ${network.name}`).slice(0, 32),
    }))
  }

  /** Counts one call; throws `too-many-requests` with Retry-After past the limit. */
  async function consume(name: RateLimitName, address: string, scale: Scale = {}): Promise<void> {
    // Consumes the narrowest network first and stops at the first refusal, so that one /64 over its limit doesn't use up
    // the /48 that others share.
    for (const { points, key } of countersOf(name, address, scale)) {
      await orUnavailable(
        limiterOf(name, points)
          .consume(key)
          .then(() => undefined, refuse),
      )
    }
  }

  /** Takes a counted call back, as after a correct password. */
  async function refund(name: RateLimitName, address: string, scale: Scale = {}): Promise<void> {
    for (const { points, key } of countersOf(name, address, scale)) {
      await orUnavailable(
        limiterOf(name, points)
          .reward(key)
          .then(() => undefined),
      )
    }
  }

  return {
    consume,
    refund,
    /** Throws like `consume` when the limit is reached, without counting. */
    async check(name: RateLimitName, address: string): Promise<void> {
      for (const { points, key } of countersOf(name, address, {})) {
        const state = await orUnavailable(limiterOf(name, points).get(key))
        if (state !== null && state.consumedPoints >= points) refuse(state)
      }
    },
    /**
     * Counts a guess at what all networks share, and returns a function that refunds it. Beyond the total, each network
     * has only a few guesses: that slows an attack down and locks out only networks that take part (ADR 0063).
     */
    async countGuess(kind: keyof typeof guessLimits, address: string): Promise<() => Promise<void>> {
      const { network, inAll, beyond } = guessLimits[kind]
      await consume(network, address)
      const isWithinTotal = await consume(inAll, kind).then(
        () => true,
        (error: unknown) => {
          if (!hasCode(error, 'too-many-requests')) throw error
          return false
        },
      )
      if (!isWithinTotal) await consume(beyond, address)
      return async () => {
        await refund(network, address)
        await (isWithinTotal ? refund(inAll, kind) : refund(beyond, address))
      }
    },
  }
}

function refuse(reason: unknown): never {
  if (!(reason instanceof RateLimiterRes)) throw reason
  throw tooManyRequests(Math.max(1, Math.ceil(reason.msBeforeNext / 1000)))
}

export function tooManyRequests(seconds: number): AppError {
  const message = `Too many attempts. Try again ${waitInWords(seconds)}.`
  return new AppError('too-many-requests', 429, message, { headers: { 'Retry-After': String(seconds) } })
}

/** Formats a wait for people, rounded up: 'in 20 seconds', 'in a minute', 'in 15 minutes', 'in 5 hours'. */
export function waitInWords(seconds: number): string {
  if (seconds <= 50) return `in ${Math.max(1, Math.ceil(seconds / 10)) * 10} seconds`
  const minutes = Math.ceil(seconds / 60)
  if (minutes === 1) return 'in a minute'
  if (minutes >= 120) return `in ${Math.ceil(minutes / 60)} hours`
  return minutes === 60 ? 'in an hour' : `in ${minutes} minutes`
}
