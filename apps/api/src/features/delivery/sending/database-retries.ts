import { setTimeout as wait } from 'node:timers/promises'
import { isDatabaseUnavailable } from '#platform/database.ts'

const databaseRetries = 60
const databaseRetryMs = 1_000

/** Creates the retries of a sender's statements. What a failed one may have claimed is released first. */
export function createDatabaseRetries(releaseClaimed: () => Promise<void>) {
  /** A statement failed, and may be stored all the same. */
  let isUncertain = false

  /**
   * Repeats a statement while the database is down: messages in flight must not become unconfirmed by a restart. What it
   * may have marked before the connection was lost is released.
   */
  async function untilAvailable<T>(statement: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries += 1) {
      try {
        await releaseIfUncertain()
        return await statement()
      } catch (error) {
        isUncertain = true
        if (!isDatabaseUnavailable(error) || tries === databaseRetries) throw error
        await wait(databaseRetryMs)
      }
    }
  }

  /** Releases what a failed statement may have claimed. */
  async function releaseIfUncertain(): Promise<void> {
    if (!isUncertain) return
    await releaseClaimed()
    isUncertain = false
  }

  return { untilAvailable, releaseIfUncertain }
}
