import type { MemoDelivery } from '@tidings/contracts/desk/memos'
import type { CalendarDate } from '@tidings/contracts/edition-key'
import {
  addDays,
  type DeliveryChoice,
  dateInZone,
  type EditionRow,
  idOf,
  isSameDay,
} from '#features/editions/index.ts'
import { listMemoIds } from '#features/memos/index.ts'
import type { Db } from '#platform/database.ts'
import { fail } from '../delivery.errors.ts'
import { hasDeliveredEdition } from '../ledger/digest-editions.repository.ts'
import { type RunRow, removeUnplannedRun } from '../ledger/runs.repository.ts'
import { memoDeliveryOf, requirePlannable, stopOpen } from './delivery-choice.ts'
import { createDigestChanges } from './digest-changes.ts'
import { createRunPlanning, isWaiting, lockFor, type RunPlanningDeps } from './run-planning.ts'

export type DeliveryPlanning = ReturnType<typeof createDeliveryPlanning>

/** Plans deliveries, in the transaction that publishes an edition or adds a memo to it. */
export function createDeliveryPlanning(deps: RunPlanningDeps) {
  const { clock, timeZone, delaySeconds } = deps
  const { schedule, planDigest, planDigestWith, planEdition, delayDigest, createFor } =
    createRunPlanning(deps)
  const digestChanges = createDigestChanges(deps)

  async function stop(tx: Db, edition: EditionRow, run: RunRow | null): Promise<void> {
    if (await stopOpen(tx, run)) await digestChanges.editionStopped(tx, edition)
  }

  return {
    ...digestChanges,
    planDigest,
    schedule,

    /** Plans the deliveries of an edition at its first publication, once it has a memo. */
    async editionPublished(tx: Db, edition: EditionRow, { send, isAsked }: DeliveryChoice): Promise<void> {
      const { date } = idOf(edition)
      const today = dateInZone(clock.now(), timeZone)
      const isCurrent = isSameDay(date, today) || isSameDay(date, addDays(today, 1))
      const run = await lockFor(tx, { editionId: edition.id })
      if (send === 'never') return await stop(tx, edition, run)
      if (run === null) {
        if (send === 'always' || (send === 'by-date' && isCurrent)) await createFor(tx, edition)
        return
      }
      // An edition that was withdrawn while it was sent continues with its other deliveries.
      if (isAsked && run.state !== 'sending') requirePlannable(run)
      // One that was withdrawn before anything was sent is still to be sent.
      if (!isWaiting(run)) return
      if (run.plannedAt !== null) {
        await schedule(tx, run)
        await planDigestWith(tx, edition)
      } else if ((await listMemoIds(tx, edition.id)).length > 0) await planEdition(tx, run, edition)
    },

    /** Plans or stops a published edition when an editor asks later. Only checks whether a scheduled one can be sent. */
    async deliveryChanged(tx: Db, edition: EditionRow, deliver: boolean): Promise<void> {
      const run = await lockFor(tx, { editionId: edition.id })
      const isPublished = edition.status === 'published'
      // An edition that was withdrawn while it was sent continues once it is published.
      if (deliver && run?.state === 'sending' && !isPublished) return
      if (deliver && run !== null) return requirePlannable(run)
      if (deliver && isPublished) return await createFor(tx, edition)
      if (deliver || !isPublished) return
      if (run?.state === 'done') throw fail('delivery-not-stoppable', run.state)
      await stop(tx, edition, run)
    },

    /** Plans an edition that had no memo, or moves the time of sending. */
    async memoAdded(tx: Db, edition: EditionRow): Promise<MemoDelivery> {
      const digest = await lockFor(tx, { digestDate: idOf(edition).date })
      if (isWaiting(digest) && edition.status === 'published') await delayDigest(tx, digest)
      const run = await lockFor(tx, { editionId: edition.id })
      const delivery = memoDeliveryOf(edition, run)
      if (delivery !== 'planned' || !isWaiting(run)) return delivery
      if (run.plannedAt === null) await planEdition(tx, run, edition)
      else await schedule(tx, run)
      return delivery
    },

    /** Plans the digest of a day that is due, unless it is planned or nothing was delivered that day. */
    async digestDue(tx: Db, date: CalendarDate): Promise<RunRow | null> {
      const run = await lockFor(tx, { digestDate: date })
      if (await hasDeliveredEdition(tx, date)) {
        const delay = ((run?.sendAfter ?? clock.now()).getTime() - clock.now().getTime()) / 1000
        return await planDigest(tx, date, delay > 0 && delay <= delaySeconds ? delay : 0)
      }
      if (isWaiting(run)) await removeUnplannedRun(tx, run.id)
      return null
    },
  }
}
