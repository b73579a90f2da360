import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import type { EmailService } from '../mail/index.ts'
import type { MediaService } from '../media/index.ts'
import { lockUnwarned, removeWarned } from './unverified-accounts.repository.ts'

type Deps = Pick<PlatformDeps, 'database' | 'invalidation' | 'apps' | 'clock' | 'logger' | 'metrics'> & {
  emails: EmailService
  media: MediaService
  /** The age at which an unused, unverified account is removed; 0 for never. */
  unverifiedDays: number
  timeZone: string
  sessionCacheKey(sessionId: string): string
}

const dayMs = 24 * 3600 * 1000
const warningMs = 7 * dayMs
// Keeps rows locked for a second or two per run.
const limit = 500

/** Returns the idempotent clean-up of unverified, unused accounts (ADR 0086). It warns 7 days before removal. */
export function createUnverifiedCleanUp(deps: Deps): () => Promise<void> {
  const { database, emails, invalidation, clock, timeZone } = deps
  const removedTotal = deps.metrics.counter({
    name: 'tidings_unverified_accounts_removed_total',
    help: 'Accounts deleted because their address was never verified',
  })

  async function warn(now: number, before: Date): Promise<void> {
    const { byId } = await deps.apps.directory()
    const removedAt = new Date(now + warningMs).toISOString()
    await database.transaction(async (tx) => {
      for (const { id, appId, email } of await lockUnwarned(tx, { before, timeZone, limit })) {
        const app = byId.get(appId)
        if (app === undefined) continue
        await emails.enqueue(tx, app, email, { kind: 'account-expiring', removedAt }, { cause: id })
      }
    })
  }

  async function remove(now: number, before: Date): Promise<void> {
    const warnedBefore = new Date(now - warningMs)
    const { ids, images } = await database.transaction(async (tx) => {
      const removed = await removeWarned(tx, { before, warnedBefore, timeZone, limit })
      await invalidation.invalidate(tx, { at: removed.sessionIds.map(deps.sessionCacheKey) })
      return removed
    })
    if (ids.length === 0) return
    removedTotal.inc(ids.length)
    deps.logger.info({ memberIds: ids }, 'unverified accounts removed')
    for (const file of images) await deps.media.discard({ file })
  }

  return async function cleanUp() {
    if (deps.unverifiedDays === 0) return
    const now = clock.now().getTime()
    const removedMs = deps.unverifiedDays * dayMs
    await remove(now, new Date(now - removedMs))
    await warn(now, new Date(now - removedMs + warningMs))
  }
}
