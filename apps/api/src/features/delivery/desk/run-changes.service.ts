import { type ChangeService, type DeskReply, type Requester, replyWith } from '#features/desk/index.ts'
import { type EditionRow, findEdition, lockEditionById } from '#features/editions/index.ts'
import type { Db } from '#platform/database.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import type { DeliverySms } from '../content/sms/delivery-sms.ts'
import { fail } from '../delivery.errors.ts'
import { findDelivery } from '../ledger/report.repository.ts'
import {
  findRunById,
  isWithdrawn,
  lockRun,
  type RunRow,
  reopenRun,
  updateRun,
} from '../ledger/runs.repository.ts'
import { resolveUnconfirmed } from '../ledger/unconfirmed.repository.ts'
import { toDeskDelivery } from '../report/delivery.mapper.ts'
import { readReport } from '../report/delivery-report.ts'
import { type WaitingService, waitingOf } from '../report/waiting.service.ts'
import { announceProgress } from '../run-progress.ts'
import type { DeliveryPlanning } from '../schedule/planning.service.ts'
import { enqueueSending } from '../transports.ts'
import { type DeliverySubject, findRunOf, nameOf } from './delivery-subject.ts'

export type RunChangeDeps = Pick<PlatformDeps, 'jobs' | 'clock'> & {
  changes: ChangeService
  deliverySms: DeliverySms
  waiting: WaitingService
  planning: Pick<DeliveryPlanning, 'editionStopped' | 'editionResumed'>
}

/** Lets editors stop and resume runs, and resolve unconfirmed deliveries. */
export function createRunChanges({ jobs, clock, changes, deliverySms, waiting, planning }: RunChangeDeps) {
  return {
    /** Stops a run; only the messages in flight are still sent. A digest goes on without a stopped edition. */
    async stop(requester: Requester, subject: DeliverySubject): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const { run, edition } = await lockPublishedRunOf(tx, subject)
        if (run.state !== 'planned' && run.state !== 'sending')
          throw fail('delivery-not-stoppable', run.state)
        const stopped = await updateRun(tx, run.id, { state: 'stopped' })
        if (edition !== null) await planning.editionStopped(tx, edition)
        await audit('delivery.stop', nameOf(subject), { from: run.state })
        return replyWith(await readReport(tx, stopped, { deliverySms, waiting }))
      })
    },

    /** Resumes a stopped or held run at once. */
    async resume(requester: Requester, subject: DeliverySubject): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const { run, edition } = await lockPublishedRunOf(tx, subject)
        if (run.state !== 'stopped' && run.state !== 'held') throw fail('delivery-not-resumable', run.state)
        const now = clock.now()
        const resumed = await updateRun(tx, run.id, {
          state: run.startedAt === null ? 'planned' : 'sending',
          heldReason: null,
          sendAfter: now,
          activeAt: run.startedAt === null ? null : now,
        })
        await enqueueSending(jobs, tx, run.id)
        if (edition !== null && run.state === 'stopped') await planning.editionResumed(tx, edition)
        await audit('delivery.resume', nameOf(subject), { from: run.state, reason: run.heldReason })
        return replyWith(await readReport(tx, resumed, { deliverySms, waiting }))
      })
    },

    /** Decides what became of an unconfirmed delivery. */
    async resolve(requester: Requester, id: string, as: 'sent' | 'send-again'): Promise<DeskReply> {
      return await changes.run(requester, async (tx, audit) => {
        const before = await findDelivery(tx, id)
        if (before === null) throw fail('delivery-not-found')
        const run = await findRunById(tx, before.runId)
        if (as === 'send-again' && run !== null) await requirePublished(tx, run)
        const [resolved] = await resolveUnconfirmed(tx, { id }, as, clock.now())
        if (resolved === undefined) throw fail('delivery-not-unconfirmed', before.state)
        if (as === 'send-again') {
          await reopenRun(tx, resolved.runId, clock.now())
          await enqueueSending(jobs, tx, resolved.runId)
        }
        await announceProgress(tx, resolved.runId)
        await audit('delivery.resolve', id, { as, evidence: before.reason })
        const after = await findDelivery(tx, id)
        const facts = await waiting.readFacts(tx)
        return replyWith(toDeskDelivery(after ?? before, waitingOf(after ?? before, facts)))
      })
    },
  }
}

type LockedRun = { run: RunRow; edition: EditionRow | null }

/** Locks an edition before its run and its digest, as publishing does. */
async function lockRunOf(tx: Db, subject: DeliverySubject): Promise<LockedRun> {
  const found = 'edition' in subject ? await findEdition(tx, subject.edition) : null
  const edition = found === null ? null : await lockEditionById(tx, found.id)
  const run = await findRunOf(tx, subject)
  const locked = run === null ? null : await lockRun(tx, run.id)
  if (locked === null) throw fail('delivery-not-found')
  return { run: locked, edition }
}

/** Locks a run to stop or resume it. Throws `edition-withdrawn` if nothing of it is published. */
async function lockPublishedRunOf(tx: Db, subject: DeliverySubject): Promise<LockedRun> {
  const locked = await lockRunOf(tx, subject)
  await requirePublished(tx, locked.run)
  return locked
}

async function requirePublished(tx: Db, run: Pick<RunRow, 'id' | 'editionId'>): Promise<void> {
  if (await isWithdrawn(tx, run))
    throw fail('edition-withdrawn', run.editionId === null ? 'digest' : 'edition')
}
