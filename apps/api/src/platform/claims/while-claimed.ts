import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { Database } from '../database.ts'
import { fail } from '../errors.ts'
import type { Ids } from '../ids.ts'
import type { Logger } from '../logger.ts'
import { claimFile, extendClaim, releaseClaim } from './claims.repository.ts'

/** Does work on a file while no other process does. Throws `service-busy` after a minute of waiting. */
export type WhileClaimed = <T>(name: string, work: () => Promise<T>) => Promise<T>

type Deps = { database: Database; clock: Clock; ids: Ids; logger: Logger }

// The claim of a killed process expires after this time.
const claimMs = 20_000
const extendMs = 5_000
const poll = { ms: 100, attempts: 600 }

/** Creates claims that last as long as their work and are in no transaction (ADR 88). */
export function createWhileClaimed({ database: { db }, clock, ids, logger }: Deps): WhileClaimed {
  const expiry = () => new Date(clock.now().getTime() + claimMs)

  return async (name, work) => {
    const claim = { name, token: ids.uuid() }
    for (
      let attempt = 1;
      !(await claimFile(db, claim, { now: clock.now(), until: expiry() }));
      attempt += 1
    ) {
      if (attempt === poll.attempts) throw fail('service-busy')
      await pause(poll.ms)
    }
    const warn = (error: unknown) => logger.warn({ err: error }, 'file claim failed')
    const extension = setInterval(() => void extendClaim(db, claim, expiry()).catch(warn), extendMs)
    try {
      return await work()
    } finally {
      clearInterval(extension)
      // One that can't be deleted expires.
      await releaseClaim(db, claim).catch(warn)
    }
  }
}
