import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { storeAvailable, storeUnavailable } from '../ledger/server-state.repository.ts'

/** Creates what stores, for the desk, whether a server accepts messages. Best effort: sending goes on without it. */
export function createServerWatch(
  { database, clock, logger }: Pick<PlatformDeps, 'database' | 'clock' | 'logger'>,
  transport: string,
) {
  let isStored = false
  let storing = Promise.resolve()

  function store(work: () => Promise<void>): void {
    storing = storing
      .then(work)
      .catch((error: unknown) => logger.warn({ err: error, transport }, 'server state not stored'))
  }

  return {
    /** Called after each accepted message. Only the first after a failure or the start is stored. */
    accepted(): void {
      if (isStored) return
      isStored = true
      store(() => storeAvailable(database.db, transport))
    },
    failed({ code, response }: { code: string; response: string }): void {
      isStored = false
      const reason = `${code} ${response}`.trim()
      store(() => storeUnavailable(database.db, { transport, unavailableSince: clock.now(), reason }))
    },
    /** Waits until all is stored. */
    settled: () => storing,
  }
}
