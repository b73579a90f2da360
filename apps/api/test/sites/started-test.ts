import { test } from 'vitest'
import { createTestMembers } from '../membership.ts'
import type { SharedSite, StartedSite } from './shared-site.ts'

/**
 * Returns the `it` of a file whose tests share one site: `shared`, as if it were new, or else one of the file's own.
 * Each file calls it anew, because an override of a file would also reach the other files of its worker.
 */
export function startedTest<S extends StartedSite>(shared: SharedSite<S> | null, startOwn: () => Promise<S>) {
  // A fixture of the worker is cleaned up after its last file.
  return test
    .extend('ofWorker', { scope: 'worker' }, { shared })
    .extend('shared', { scope: 'worker' }, async ({ ofWorker }, { onCleanup }) => {
      onCleanup(async () => await ofWorker.shared?.close())
      return ofWorker.shared
    })
    .extend('started', { scope: 'file' }, async ({ shared }, { onCleanup }) => {
      if (shared === null) {
        const own = await startOwn()
        onCleanup(() => own.close())
        return own
      }
      const renewed = await shared.renew()
      onCleanup(async () => {
        await renewed.endFile?.()
        renewed.expectNoErrors()
      })
      return renewed
    })
    .extend('site', { scope: 'file' }, ({ started }) => started.site)
    .extend('members', { scope: 'file' }, ({ site }) => createTestMembers(site))
    .extend('db', { scope: 'file' }, ({ site }) => site.context.database.db)
}
