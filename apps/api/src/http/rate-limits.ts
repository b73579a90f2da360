import { isIPv6 } from 'node:net'
import type pg from 'pg'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import type { Config } from '../config/config.ts'
import { orUnavailable } from '../platform/database.ts'
import { AppError } from '../platform/errors.ts'
import { sha256 } from '../platform/ids.ts'

export type RateLimitName = keyof Config['rateLimits']

export type RateLimits = ReturnType<typeof createRateLimits>

// Counting in Postgres would take almost as long as the call itself.
const countedByProcess: ReadonlySet<RateLimitName> = new Set<RateLimitName>(['searches'])

/** Creates rate limits in Postgres for all processes, except for cheap calls. Addresses (by network) and names are stored hashed. */
export function createRateLimits(options: { pool: pg.Pool; limits: Config['rateLimits']; secret: string }) {
  const limiters = new Map<RateLimitName, RateLimiterAbstract>()
  function limiterOf(name: RateLimitName): RateLimiterAbstract {
    const known = limiters.get(name)
    if (known !== undefined) return known
    const { points, seconds } = options.limits[name]
    const limit = { keyPrefix: name, points, duration: seconds }
    const limiter = countedByProcess.has(name)
      ? new RateLimiterMemory(limit)
      : new RateLimiterPostgres({
          ...limit,
          storeClient: options.pool,
          storeType: 'pool',
          tableName: 'rate_limit',
          tableCreated: true,
          clearExpiredByTimeout: false,
          inMemoryBlockOnConsumed: points + 1,
        })
    limiters.set(name, limiter)
    return limiter
  }
  const keyOf = (address: string) => sha256(`${options.secret} ${networkOf(address)}`).slice(0, 32)

  return {
    /** Counts one call; throws `too-many-requests` with Retry-After past the limit. */
    async consume(name: RateLimitName, address: string): Promise<void> {
      await orUnavailable(
        limiterOf(name)
          .consume(keyOf(address))
          .then(() => undefined, refuse),
      )
    },
    /** Takes a counted call back, as after a correct password. */
    async refund(name: RateLimitName, address: string): Promise<void> {
      await orUnavailable(
        limiterOf(name)
          .reward(keyOf(address))
          .then(() => undefined),
      )
    },
    /** Throws like `consume` when the limit is reached, without counting. */
    async check(name: RateLimitName, address: string): Promise<void> {
      const state = await orUnavailable(limiterOf(name).get(keyOf(address)))
      if (state !== null && state.consumedPoints >= options.limits[name].points) refuse(state)
    },
  }
}

function refuse(reason: unknown): never {
  if (!(reason instanceof RateLimiterRes)) throw reason
  throw tooManyRequests(Math.max(1, Math.ceil(reason.msBeforeNext / 1000)))
}

export function tooManyRequests(seconds: number): AppError {
  const message = `Too many attempts. Please try again ${waitInWords(seconds)}.`
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

/** Returns the network of an address: IPv6 customers have a whole /64, so it counts as one. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped?.[1] !== undefined) return mapped[1]
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.toLowerCase().split('%')[0]?.split('::') ?? []
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
