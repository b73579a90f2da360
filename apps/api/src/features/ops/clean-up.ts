import { z } from 'zod'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/database.ts'
import type { JobDefinition } from '#platform/jobs.ts'

/** Takes away, once an hour, what has served its time. */
export const cleanUp: JobDefinition<Record<never, never>> = {
  name: 'ops.clean-up',
  payload: z.object({}),
  retries: 0,
  expireSeconds: 300,
  cron: '17 * * * *',
}

/** Removes counters of rate limits whose window has ended an hour ago. */
export async function removeEndedLimits(database: Database, clock: Clock): Promise<void> {
  const hourAgo = BigInt(clock.now().getTime() - 3600 * 1000)
  await database.db.rateLimit.deleteMany({ where: { expire: { lt: hourAgo } } })
}
