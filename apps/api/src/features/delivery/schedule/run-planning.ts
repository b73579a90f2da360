import type { CalendarDate, Slot } from '@tidings/contracts/edition-key'
import { dateInZone, type EditionRow, idOf, isSameDay } from '#features/editions/index.ts'
import { listMemoIds } from '#features/memos/index.ts'
import type { Db } from '#platform/database.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import type { DeliveryRow } from '../ledger/deliveries.repository.ts'
import { planDeliveries } from '../ledger/recipients.repository.ts'
import {
  announcePlanning,
  createRun,
  findRun,
  lockRun,
  type RunRow,
  type RunSubject,
  updateRun,
} from '../ledger/runs.repository.ts'
import { enqueueSending } from '../transports.ts'
import { digestSlotTime } from './digest-times.ts'

export type RunPlanningDeps = Pick<PlatformDeps, 'jobs' | 'clock'> & {
  appId: string
  pushKey: string | null
  timeZone: string
  slots: readonly Slot[]
  digestLatest: number
  delaySeconds: number
  /** How editions are sent. */
  editionMethods: readonly DeliveryRow['method'][]
}

/** Creates the runs of editions and digests, and plans their deliveries. */
export function createRunPlanning(deps: RunPlanningDeps) {
  const { jobs, clock, appId, pushKey, timeZone, slots, delaySeconds, editionMethods } = deps

  function today(): CalendarDate {
    return dateInZone(clock.now(), timeZone)
  }

  /** Sets the time of sending, or moves it. Earlier jobs of the run do nothing. */
  async function scheduleAt(tx: Db, run: RunRow, sendAfter: Date): Promise<void> {
    await updateRun(tx, run.id, { sendAfter })
    await enqueueSending(jobs, tx, run.id, { startAfter: sendAfter })
  }

  async function schedule(tx: Db, run: RunRow, delay = delaySeconds): Promise<void> {
    await scheduleAt(tx, run, new Date(clock.now().getTime() + delay * 1000))
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
    const earliest = new Date(clock.now().getTime() + delaySeconds * 1000)
    if (earliest <= run.sendAfter) return
    if (run.plannedAt !== null) return await scheduleAt(tx, run, earliest)
    await updateRun(tx, run.id, { sendAfter: earliest })
  }

  /** Plans an edition that has no run. Its first memo plans one without memos. */
  async function createFor(tx: Db, edition: EditionRow): Promise<void> {
    const run = await create(tx, { editionId: edition.id })
    if (run !== null && (await listMemoIds(tx, edition.id)).length > 0) await planEdition(tx, run, edition)
  }

  return { schedule, scheduleAt, planDigest, planDigestWith, planEdition, delayDigest, createFor }
}

/** Locks the run of an edition or digest; null if there is none. */
export async function lockFor(tx: Db, subject: RunSubject): Promise<RunRow | null> {
  const run = await findRun(tx, subject)
  return run === null ? null : await lockRun(tx, run.id)
}

/** Returns whether nothing of a run was sent yet. */
export function isWaiting(run: RunRow | null): run is RunRow {
  return run?.state === 'planned'
}
