import { z } from 'zod'
import type { Job } from '#platform/jobs/jobs.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock'> & {
  changes: { removeExpired(): Promise<void> }
  removeOld(): Promise<void>
}

/** Removes expired rows, and rate limit counters whose window ended more than an hour ago. */
export const cleanUp: Job<object, Deps> = {
  name: 'ops.clean-up',
  payload: z.object({}),
  retries: 0,
  expireSeconds: 300,
  async run(_payload, { database, clock, changes, removeOld }) {
    const hourAgo = BigInt(clock.now().getTime() - 3600 * 1000)
    await database.db.rateLimit.deleteMany({ where: { expire: { lt: hourAgo } } })
    await changes.removeExpired()
    await removeOld()
  },
}
