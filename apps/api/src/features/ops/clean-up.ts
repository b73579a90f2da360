import { z } from 'zod'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/database.ts'
import type { JobDefinition } from '#platform/jobs.ts'

/** Removes expired rows once an hour. */
export const cleanUp: JobDefinition<Record<never, never>> = {
  name: 'ops.clean-up',
  payload: z.object({}),
  retries: 0,
  expireSeconds: 300,
  cron: '17 * * * *',
}

/** Removes rate limit counters whose window ended more than an hour ago. */
export async function removeExpiredLimits(database: Database, clock: Clock): Promise<void> {
  const hourAgo = BigInt(clock.now().getTime() - 3600 * 1000)
  await database.db.rateLimit.deleteMany({ where: { expire: { lt: hourAgo } } })
}
