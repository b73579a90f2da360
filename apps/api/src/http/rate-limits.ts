import { isIPv6 } from 'node:net'
import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config, RateLimit } from '../config/config.ts'
import { orUnavailable } from '../platform/database.ts'
import { AppError } from '../platform/errors.ts'
import { sha256 } from '../platform/ids.ts'

export type RateLimitName = keyof Config['rateLimits']

/** Who is counted: an IP address, whose network counts as one, or an account or app by a name of its own. */
export type RateLimits = {
  /** Counts one try of an address; throws `too-many-requests` with Retry-After past the limit. */
  consume(name: RateLimitName, address: string): Promise<void>
  /** Gives a try back, as after a right password. */
  refund(name: RateLimitName, address: string): Promise<void>
  /** Throws like `consume` when the limit is reached, without counting. */
  check(name: RateLimitName, address: string): Promise<void>
}

/** Limits kept in Postgres, so that every API process counts the same. Addresses are kept hashed. */
export function createRateLimits(options: {
  pool: pg.Pool
  limits: Config['rateLimits']
  secret: string
}): RateLimits {
  const build = (name: RateLimitName, { points, seconds }: RateLimit) =>
    new RateLimiterPostgres({
      storeClient: options.pool,
      storeType: 'pool',
      tableName: 'rate_limit',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: name,
      points,
      duration: seconds,
      inMemoryBlockOnConsumed: points + 1,
    })
  const limiters: Record<RateLimitName, RateLimiterPostgres> = {
    gateTries: build('gateTries', options.limits.gateTries),
    entryBox: build('entryBox', options.limits.entryBox),
    newReaders: build('newReaders', options.limits.newReaders),
    deskFailures: build('deskFailures', options.limits.deskFailures),
    logins: build('logins', options.limits.logins),
    signups: build('signups', options.limits.signups),
    codes: build('codes', options.limits.codes),
    codeTries: build('codeTries', options.limits.codeTries),
    accountTries: build('accountTries', options.limits.accountTries),
    accountTriesInAll: build('accountTriesInAll', options.limits.accountTriesInAll),
    comments: build('comments', options.limits.comments),
    payments: build('payments', options.limits.payments),
    memberWrites: build('memberWrites', options.limits.memberWrites),
    exports: build('exports', options.limits.exports),
    profileImages: build('profileImages', options.limits.profileImages),
    networkProfileImages: build('networkProfileImages', options.limits.networkProfileImages),
    captchaChallenges: build('captchaChallenges', options.limits.captchaChallenges),
  }
  const keyOf = (address: string) => sha256(`${options.secret} ${networkOf(address)}`).slice(0, 32)

  return {
    async consume(name, address) {
      await orUnavailable(limiters[name].consume(keyOf(address)).then(() => undefined, refuse))
    },
    async refund(name, address) {
      await orUnavailable(limiters[name].reward(keyOf(address)).then(() => undefined))
    },
    async check(name, address) {
      const state = await orUnavailable(limiters[name].get(keyOf(address)))
      if (state !== null && state.consumedPoints >= options.limits[name].points) refuse(state)
    },
  }
}

function refuse(reason: unknown): never {
  if (!(reason instanceof RateLimiterRes)) throw reason
  throw tooManyRequests(Math.max(1, Math.ceil(reason.msBeforeNext / 1000)))
}

export function tooManyRequests(seconds: number): AppError {
  const message = `That was too often in a short time. Please try again ${waitInWords(seconds)}.`
  return new AppError('too-many-requests', 429, message, { headers: { 'Retry-After': String(seconds) } })
}

/** A wait as people say it, never shorter than it is: 'in 20 seconds', 'in a minute', 'in 15 minutes'. */
export function waitInWords(seconds: number): string {
  if (seconds <= 50) return `in ${Math.max(1, Math.ceil(seconds / 10)) * 10} seconds`
  const minutes = Math.ceil(seconds / 60)
  if (minutes === 1) return 'in a minute'
  return minutes === 60 ? 'in an hour' : `in ${minutes} minutes`
}

/** An IPv6 customer has a whole /64 to write from, so that counts as one address. */
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
