import type { MemoDelivery } from '@tidings/contracts/desk/editions'
import type { CalendarDate, Slot } from '@tidings/contracts/edition-key'
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
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { fail } from '../delivery.errors.ts'
import type { DeliveryRow } from '../ledger/deliveries.repository.ts'
import { planDeliveries } from '../ledger/recipients.repository.ts'
import {
  announcePlanning,
  createRun,
  findRun,
  hasDeliveredEdition,
  lockRun,
  type RunRow,
  type RunSubject,
  removeUnplannedRun,
  updateRun,
} from '../ledger/runs.repository.ts'
import { enqueueSending } from '../transports.ts'
import { memoDeliveryOf, requirePlannable, stopOpen } from './delivery-choice.ts'
import { digestSlotTime } from './digest-times.ts'

type Deps = Pick<PlatformDeps, 'jobs' | 'clock'> & {
  appId: string
  pushKey: string | null
  timeZone: string
  slots: readonly Slot[]
  digestLatest: number
  delaySeconds: number
  /** The methods by which editions are sent. */
  editionMethods: readonly DeliveryRow['method'][]
}

export type DeliveryPlanning = ReturnType<typeof createDeliveryPlanning>

/** Plans deliveries, in the transaction that publishes an edition or adds a memo to it. */
export function createDeliveryPlanning(deps: Deps) {
  const { jobs, clock, appId, pushKey, timeZone, slots, delaySeconds, editionMethods } = deps

  function today(): CalendarDate {
    return dateInZone(clock.now(), timeZone)
  }

  /** Sets the time of sending, or moves it. Earlier jobs of the run do nothing. */
  async function schedule(tx: Db, run: RunRow, delay = delaySeconds): Promise<void> {
    const sendAfter = new Date(clock.now().getTime() + delay * 1000)
    await updateRun(tx, run.id, { sendAfter })
    await enqueueSending(jobs, tx, run.id, { startAfter: sendAfter })
  }

  async function plan(tx: Db, run: RunRow, delay?: number): Promise<void> {
    const now = clock.now()
    const methods = run.editionId === null ? (['digest'] as const) : editionMethods
    await announcePlanning(tx, run)
    await planDeliveries(tx, run.id, methods, { appId, today: today(), pushKey }, now)
    await updateRun(tx, run.id, { plannedAt: now })
    await schedule(tx, run, delay)
  }

  async function create(tx: Db, subject: RunSubject, sendAfter = clock.now()): Promise<RunRow | null> {
    return await createRun(tx, subject, { createdAt: clock.now(), sendAfter })
  }

  /** Plans a digest unless the day has one, or an editor has stopped it. Returns the run; null if there was one. */
  async function planDigest(tx: Db, date: CalendarDate, delay?: number): Promise<RunRow | null> {
    const subject = { digestDate: date }
    const run = (await create(tx, subject)) ?? (await lockFor(tx, subject))
    if (!isWaiting(run) || run.plannedAt !== null) return null
    await plan(tx, run, delay)
    return run
  }

  /** Plans the digest with the last edition of its day. One that is published early has the digest wait for its slot. */
  async function planDigestWith(tx: Db, edition: EditionRow): Promise<void> {
    const { date, slot } = idOf(edition)
    if (slot !== slots.at(-1)?.label) return
    const at = digestSlotTime(date, deps)
    if (at > clock.now()) await create(tx, { digestDate: date }, at)
    else if (isSameDay(date, today())) await planDigest(tx, date)
  }

  async function planEdition(tx: Db, run: RunRow, edition: EditionRow): Promise<void> {
    await plan(tx, run)
    await planDigestWith(tx, edition)
  }

  /** Gives an editor the usual time after a memo, in a digest that is still to be sent. */
  async function delayDigest(tx: Db, run: RunRow): Promise<void> {
    if (run.plannedAt !== null) return await schedule(tx, run)
    const earliest = new Date(clock.now().getTime() + delaySeconds * 1000)
    if (earliest > run.sendAfter) await updateRun(tx, run.id, { sendAfter: earliest })
  }

  async function lockFor(tx: Db, subject: RunSubject): Promise<RunRow | null> {
    const run = await findRun(tx, subject)
    return run === null ? null : await lockRun(tx, run.id)
  }

  function isWaiting(run: RunRow | null): run is RunRow {
    return run?.state === 'planned'
  }

  /** Plans an edition that has no run. Its first memo plans one without memos. */
  async function createFor(tx: Db, edition: EditionRow): Promise<void> {
    const run = await create(tx, { editionId: edition.id })
    if (run !== null && (await listMemoIds(tx, edition.id)).length > 0) await planEdition(tx, run, edition)
  }

  return {
    planDigest,
    schedule,

    /** Plans the deliveries of an edition at its first publication, once it has a memo. */
    async editionPublished(tx: Db, edition: EditionRow, { send, isAsked }: DeliveryChoice): Promise<void> {
      const { date } = idOf(edition)
      const isCurrent = isSameDay(date, today()) || isSameDay(date, addDays(today(), 1))
      const run = await lockFor(tx, { editionId: edition.id })
      if (send === 'never') return await stopOpen(tx, run)
      if (run === null) {
        if (send === 'always' || isCurrent) await createFor(tx, edition)
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
      await stopOpen(tx, run)
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
