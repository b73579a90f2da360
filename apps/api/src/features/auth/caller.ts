import { createHmac, createSecretKey } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { networkShares, networksOf } from '#http/limits/networks.ts'
import type { RateLimits } from '#http/limits/rate-limits.ts'
import { browserIdOf } from '#http/sessions/browser-cookie.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/database.ts'
import { cleanText } from '#platform/free-json.ts'
import type { HashSource } from '#platform/passwords/hash-queue.ts'

/** A caller's IP address, browser cookie, user agent, and the origin of the page. */
export type Caller = { ip: string; browserId: string; userAgent: string; origin: string }

const maxCharacters = 300

/** Returns the caller of a request; some clients send the page as `originDomain` instead of an Origin header. */
export function callerOf(request: FastifyRequest, originDomain?: string | null): Caller {
  const { origin, 'user-agent': userAgent } = request.headers
  return {
    ip: request.ip,
    browserId: browserIdOf(request),
    userAgent: toStored(userAgent ?? ''),
    origin: toStored(origin ?? originDomain ?? ''),
  }
}

/** Returns the requester of a hash of a caller's password. */
export function hashSourceOf({ ip }: Caller, { isKnown }: { isKnown: boolean }): HashSource {
  const networks = networksOf(ip).map(({ name }) => name)
  return { networks: networks.toReversed(), isKnown }
}

function toStored(text: string): string {
  return cleanText(text).slice(0, maxCharacters)
}

/** The network and the browser of a call about an account, as keyed hashes. */
export type Source = {
  network: string
  browser: string
  /** The IPv6 /56 and /48 that the network, a /64, is part of; none for IPv4. */
  widerNetworks: string[]
  /** The hash to count by: the browser's if the account knows it, otherwise the network's. */
  hash: string
  /** Whether this browser or network has logged in to the account before. */
  isKnown: boolean
}

export type KnownSources = ReturnType<typeof createKnownSources>

type Deps = { rateLimits: RateLimits; clock: Clock; secret: string; days: number; triesInAll: number }

/**
 * Creates the memory of the networks and browsers that have logged in to an account. Attacks from elsewhere don't lock
 * these out (ADR 0063).
 */
export function createKnownSources({ rateLimits, clock, secret, days, triesInAll }: Deps) {
  // As a key object: converting bytes takes longer than a hash.
  const key = createSecretKey(createHmac('sha256', secret).update('source of a login').digest())
  const hashOf = (kind: string, text: string) =>
    createHmac('sha256', key).update(`${kind} ${text}`).digest('hex').slice(0, 32)
  const oldest = () => new Date(clock.now().getTime() - days * 24 * 3600 * 1000)

  function hashesOf({ ip, browserId }: Caller): Pick<Source, 'network' | 'browser' | 'widerNetworks'> {
    const [narrowest, ...wider] = networksOf(ip)
    const network = hashOf('network', narrowest.name)
    const widerNetworks = wider.map(({ name }) => hashOf('network', name))
    return { network, widerNetworks, browser: browserId === '' ? network : hashOf('browser', browserId) }
  }

  return {
    hashesOf,
    /** Returns the caller's source for the account of an address, with the same work if there is no such account. */
    async find(db: Db, account: { appId: string; email: string }, caller: Caller): Promise<Source> {
      const { network, browser, widerNetworks } = hashesOf(caller)
      const { appId, email } = account
      const rows = await db.knownSource.findMany({
        where: {
          sourceHash: { in: [network, browser] },
          lastUsedAt: { gt: oldest() },
          member: { appId, email },
        },
        select: { sourceHash: true },
      })
      const isBrowserKnown = rows.some(({ sourceHash }) => sourceHash === browser)
      const hash = isBrowserKnown ? browser : network
      return { network, browser, widerNetworks, hash, isKnown: rows.length > 0 }
    },
    /**
     * Counts a source's try on an account, and the tries of all unknown sources. A wide network has at most half of
     * those. Returns a function that refunds it.
     */
    async countTry(account: string, source: Source): Promise<() => Promise<void>> {
      const hashes = source.isKnown ? [source.hash] : [source.hash, ...source.widerNetworks]
      const counted = hashes.map((hash, index) => {
        const share = networkShares[index] ?? 1
        return ['accountTries', `${account} ${hash}`, { share, max: triesInAll / 2 }] as const
      })
      for (const count of counted) await rateLimits.consume(...count)
      if (!source.isKnown) await rateLimits.consume('accountTriesInAll', account)
      return async () => {
        for (const count of counted) await rateLimits.refund(...count)
        if (!source.isKnown) await rateLimits.refund('accountTriesInAll', account)
      }
    },
    /** Makes the caller's network and browser known to an account, as a login does. */
    async remember(tx: Db, memberId: string, caller: Caller): Promise<void> {
      const { network, browser } = hashesOf(caller)
      const data = [network, browser].map((sourceHash) => ({ memberId, sourceHash, lastUsedAt: clock.now() }))
      await tx.knownSource.createMany({ data, skipDuplicates: true })
    },
    /** Removes the sources of an account, which an earlier owner of its address may have logged in from. */
    async forget(tx: Db, memberId: string): Promise<void> {
      await tx.knownSource.deleteMany({ where: { memberId } })
    },
    async removeOld(db: Db): Promise<void> {
      await db.knownSource.deleteMany({ where: { lastUsedAt: { lt: oldest() } } })
    },
  }
}
