import { rm } from 'node:fs/promises'
import { vi } from 'vitest'
import { type TestApp, testNow } from '../test-app.ts'
import { keepTestDatabase } from '../test-database.ts'
import { waitOptions } from '../wait-options.ts'
import { keepRows, restoreRows } from './new-site-rows.ts'

/** A started site with what belongs to it. */
export type StartedSite = {
  site: TestApp
  /** Throws when an error was logged since the last call. */
  expectNoErrors(): void
  /** Empties or starts the emulators that the tests of a file use. */
  startFile?(): Promise<void>
  endFile?(): Promise<void>
  close(): Promise<void>
}

export type SharedSite<S extends StartedSite> = ReturnType<typeof createSharedSite<S>>

/** Lets the site send again, which notices that its rows were restored. */
async function sendAgain({ database, sendingGuard }: TestApp['context']): Promise<void> {
  await database.pool.query(
    'DELETE FROM delivery_control; DELETE FROM sending_folder; DELETE FROM sending_mark',
  )
  await sendingGuard.check()
}

/** Creates a site that starts once in a worker, for all files that need no options. */
export function createSharedSite<S extends StartedSite>(start: () => Promise<S>) {
  let running: Promise<S> | undefined

  async function startAndKeepRows(): Promise<S> {
    const started = await start()
    const { config, database } = started.site.context
    const dropDatabase = keepTestDatabase(config.database.url)
    await keepRows(database.pool)
    return {
      ...started,
      async close() {
        await started.close()
        await dropDatabase()
      },
    }
  }

  return {
    /** Returns the site as if it were new: no rows or files of other tests, empty caches, the clock at `testNow`. */
    async renew(): Promise<S> {
      running ??= startAndKeepRows()
      const started = await running
      const { clock, context } = started.site
      await vi.waitFor(() => restoreRows(context.database.pool), waitOptions)
      for (const folder of ['media', 'pdf', 'sending'])
        await rm(`${context.config.dataDir}/${folder}`, { recursive: true, force: true, maxRetries: 10 })
      clock.moveTo(testNow)
      await sendAgain(context)
      await context.invalidation.invalidateAll(context.database.db)
      await started.startFile?.()
      return started
    },
    async close(): Promise<void> {
      const closing = running
      running = undefined
      await (await closing)?.close()
    },
  }
}
