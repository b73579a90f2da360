import { type EditionRow, idOf } from '#features/editions/index.ts'
import type { Db } from '#platform/database.ts'
import { updateRun } from '../ledger/runs.repository.ts'
import { latestOf } from './digest-times.ts'
import { createRunPlanning, isWaiting, lockFor, type RunPlanningDeps } from './run-planning.ts'

const stoppedReason =
  'An edition of this day was stopped. Resume that edition first to have it in the digest, or resume the digest to send it without.'

/** Changes the digest of a day when one of its editions is stopped or resumed, in that transaction. */
export function createDigestChanges(deps: RunPlanningDeps) {
  const { clock, slots } = deps
  const { schedule, scheduleAt, planDigestWith } = createRunPlanning(deps)

  function isLast(edition: EditionRow): boolean {
    return idOf(edition).slot === slots.at(-1)?.label
  }

  return {
    /** Without its last edition, a digest waits for the latest time. One that can't wait is held for an editor. */
    async editionStopped(tx: Db, edition: EditionRow): Promise<void> {
      const { date } = idOf(edition)
      const digest = await lockFor(tx, { digestDate: date })
      if (digest === null || digest.plannedAt === null) return
      if (digest.state === 'planned') {
        if (!isLast(edition)) return
        const latest = latestOf(date, deps)
        if (latest > digest.sendAfter) return await scheduleAt(tx, digest, latest)
      } else if (digest.state !== 'sending') return
      await updateRun(tx, digest.id, { state: 'held', heldReason: stoppedReason })
    },

    /** Sends the digest with the edition, unless it is under way. */
    async editionResumed(tx: Db, edition: EditionRow): Promise<void> {
      const digest = await lockFor(tx, { digestDate: idOf(edition).date })
      if (!isWaiting(digest) || digest.plannedAt === null) return await planDigestWith(tx, edition)
      if (isLast(edition) || digest.sendAfter <= clock.now()) await schedule(tx, digest)
    },
  }
}
