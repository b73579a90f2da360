import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { storeAvailable, storeUnavailable } from '../ledger/server-state.repository.ts'

/** Stores, for the desk, whether the server of a transport accepts messages. */
export type ServerWatch = {
  /** Called after each message that the server accepted. Only the first after a failure or the start is stored. */
  accepted(): void
  failed(result: { code: string; response: string }): void
  /** Waits until all is stored. */
  settled(): Promise<void>
}

/** Creates the watch of one sender's turn. Best effort: sending goes on without it. */
export function createServerWatch(
  { database, clock, logger }: Pick<PlatformDeps, 'database' | 'clock' | 'logger'>,
  transport: string,
): ServerWatch {
  let isStored = false
  let storing = Promise.resolve()

  function store(work: () => Promise<void>): void {
    storing = storing
      .then(work)
      .catch((error: unknown) => logger.warn({ err: error, transport }, 'server state not stored'))
  }

  return {
    accepted() {
      if (isStored) return
      isStored = true
      store(() => storeAvailable(database.db, transport))
    },
    failed({ code, response }) {
      isStored = false
      const reason = `${code} ${response}`.trim()
      store(() => storeUnavailable(database.db, { transport, unavailableSince: clock.now(), reason }))
    },
    settled: () => storing,
  }
}
