import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { lateChange } from '../lateness.ts'
import { hasClaimable, listMemoIdsOfRun, lockRun, type RunRow, updateRun } from '../ledger/runs.repository.ts'
import { isWithdrawn } from '../ledger/withdrawal.ts'
import { idleTransports } from '../transports.ts'

type Deps = Pick<PlatformDeps, 'database' | 'jobs' | 'clock' | 'logger'> & { latenessMinutes: number }

/** A run with more deliveries than this is shared by several senders. */
const deliveriesOfOneSender = 500
const sendersOfRun = 4

/** Starts a run that is due. Returns it while it is being sent. */
export async function beginRun(
  { database, jobs, clock, logger, latenessMinutes }: Deps,
  runId: number,
): Promise<RunRow | null> {
  const now = clock.now()
  return await database.transaction(async (tx) => {
    const run = await lockRun(tx, runId)
    if (run?.state === 'sending') return run
    if (run?.state !== 'planned' || run.plannedAt === null || run.sendAfter > now) return null
    // It waits until it is published again, and isn't late.
    if (await isWithdrawn(tx, run)) return null
    const lateMs = now.getTime() - run.sendAfter.getTime()
    if (lateMs > latenessMinutes * 60_000) {
      await updateRun(tx, runId, lateChange(lateMs))
      logger.warn({ runId }, 'delivery held')
      return null
    }
    const memoIds = await listMemoIdsOfRun(tx, runId)
    if (memoIds.length === 0) return null
    for (const { methods, job } of idleTransports()) {
      if (!(await hasClaimable(tx, runId, methods, now, deliveriesOfOneSender))) continue
      for (let other = 1; other < sendersOfRun; other += 1) await jobs.enqueue(tx, job, { runId })
    }
    return await updateRun(tx, runId, { state: 'sending', startedAt: now, activeAt: now, memoIds })
  })
}
