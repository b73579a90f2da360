import { createHmac, createSecretKey } from 'node:crypto'
import { networkOf, type RateLimits } from '#http/rate-limits.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/database.ts'
import type { Caller } from './caller.ts'

/** The network and the browser of a call about an account, as keyed hashes. */
export type Source = {
  network: string
  browser: string
  /** The hash to count by: the browser's if the account knows it, otherwise the network's. */
  hash: string
  /** Whether this browser or network has logged in to the account before. */
  isKnown: boolean
}

export type KnownSources = ReturnType<typeof createKnownSources>

type Deps = { rateLimits: RateLimits; clock: Clock; secret: string; days: number }

/**
 * Creates the memory of the networks and browsers that have logged in to an account. Attacks from elsewhere don't lock
 * these out (ADR 0031).
 */
export function createKnownSources({ rateLimits, clock, secret, days }: Deps) {
  // As a key object: converting bytes takes longer than a hash.
  const key = createSecretKey(createHmac('sha256', secret).update('source of a login').digest())
  const hashOf = (kind: string, text: string) =>
    createHmac('sha256', key).update(`${kind} ${text}`).digest('hex').slice(0, 32)
  const oldest = () => new Date(clock.now().getTime() - days * 24 * 3600 * 1000)

  function hashesOf({ ip, browserId }: Caller): Pick<Source, 'network' | 'browser'> {
    const network = hashOf('network', networkOf(ip))
    return { network, browser: browserId === '' ? network : hashOf('browser', browserId) }
  }

  return {
    hashesOf,
    /** Returns the caller's source for the account of an address, with the same work if there is no such account. */
    async find(db: Db, account: { appId: string; email: string }, caller: Caller): Promise<Source> {
      const { network, browser } = hashesOf(caller)
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
      return { network, browser, hash: isBrowserKnown ? browser : network, isKnown: rows.length > 0 }
    },
    /** Counts a source's try on an account, and the tries of all unknown sources. Returns a function that refunds it. */
    async countTry(account: string, source: Source): Promise<() => Promise<void>> {
      const ofSource = `${account} ${source.hash}`
      await rateLimits.consume('accountTries', ofSource)
      if (!source.isKnown) await rateLimits.consume('accountTriesInAll', account)
      return async () => {
        await rateLimits.refund('accountTries', ofSource)
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
