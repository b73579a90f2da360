import { createHmac } from 'node:crypto'
import { networkOf, type RateLimits } from '#http/rate-limits.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/database.ts'
import type { Caller } from './caller.ts'
import { addSources, findKnownHashes, removeOlderSources } from './known-sources.repository.ts'

/** Where a call about an account comes from, as keyed hashes. */
export type Source = {
  network: string
  browser: string
  /** What is counted: the browser if the account knows it, otherwise the network. */
  hash: string
  /** Whether a login to the account came from this browser or network before. */
  isKnown: boolean
}

export type KnownSources = ReturnType<typeof createKnownSources>

type Deps = { rateLimits: RateLimits; clock: Clock; secret: string; days: number }

/** Which networks and browsers have logged in to an account. Attacks from elsewhere don't lock these out. See ADR 0031. */
export function createKnownSources({ rateLimits, clock, secret, days }: Deps) {
  const key = createHmac('sha256', secret).update('source of a login').digest()
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
      const hashes = hashesOf(caller)
      const known = await findKnownHashes(db, account, [hashes.network, hashes.browser], oldest())
      const hash = known.includes(hashes.browser) ? hashes.browser : hashes.network
      return { ...hashes, hash, isKnown: known.length > 0 }
    },
    /** Counts a try of one source on an account, and those of unknown sources in all; returns how to take it back. */
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
      await addSources(tx, memberId, [network, browser], clock.now())
    },
    removeOld: (db: Db) => removeOlderSources(db, oldest()),
  }
}
