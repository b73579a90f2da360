import type { CalendarDate } from '@tidings/contracts/edition-key'
import { addDays, dateInZone, publishInstant } from '#features/editions/index.ts'
import type { Db } from '#platform/database.ts'
import type { PlatformDeps } from '#platform/deps.ts'
import { readSendingGate } from '../ledger/control.repository.ts'
import {
  listActiveTransports,
  recoverDeliveries,
  resolveUnconfirmed,
} from '../ledger/deliveries.repository.ts'
import {
  findRun,
  finishRun,
  hasClaimable,
  listOpenRuns,
  lockRun,
  type RunRow,
  reopenRun,
  updateRun,
} from '../ledger/runs.repository.ts'
import { isWithdrawn, withdrawnChange } from '../ledger/withdrawal.ts'
import { enqueueSending, idleTransports } from '../sending/transports.ts'
import type { TextEvents } from '../texts/text-events.service.ts'
import { lateChange } from './lateness.ts'
import type { DeliveryPlanning } from './planning.service.ts'

type Deps = Pick<PlatformDeps, 'database' | 'jobs' | 'clock' | 'logger'> & {
  planning: DeliveryPlanning
  textEvents: Pick<TextEvents, 'lookUp'>
  siteHost: string
  timeZone: string
  /** Minutes after midnight. */
  digestLatest: number
  latenessMinutes: number
  unconfirmed: { afterHours: number; as: 'none' | 'sent' | 'send-again' }
}

const minuteMs = 60_000
/** After this time without a heartbeat, a sender counts as lost. */
const lostAfterMs = 30_000

/** Keeps runs on time: each minute, on any one worker. */
export function createDeliverySchedule(deps: Deps) {
  const { database, jobs, clock, logger, planning, timeZone } = deps
  const latenessMs = deps.latenessMinutes * minuteMs

  async function recover(): Promise<void> {
    const now = clock.now()
    const since = new Date(now.getTime() - lostAfterMs)
    const unconfirmed = await database.transaction((tx) => recoverDeliveries(tx, since, now))
    if (unconfirmed > 0) logger.warn({ unconfirmed }, 'deliveries of a lost worker are unconfirmed')
  }

  async function resolveOld(): Promise<void> {
    const { afterHours, as } = deps.unconfirmed
    if (as === 'none') return
    const now = clock.now()
    const before = new Date(now.getTime() - afterHours * 60 * minuteMs)
    await database.transaction(async (tx) => {
      const resolved = await resolveUnconfirmed(tx, { before }, as, now)
      if (as === 'sent') return
      for (const runId of new Set(resolved.map((row) => row.runId))) await reopenRun(tx, runId, now)
    })
  }

  /** Plans the digest at its latest time. One that is too late is held, also yesterday's. */
  async function planDigestDue(date: CalendarDate): Promise<void> {
    const now = clock.now()
    const dueAt = publishInstant(date, { label: '', minutes: deps.digestLatest }, timeZone)
    const lateMs = now.getTime() - dueAt.getTime()
    if (lateMs < 0 || (await findRun(database.db, { digestDate: date })) !== null) return
    const plan = async (tx: Db) => {
      const run = await planning.digestDue(tx, date)
      if (run !== null && lateMs > latenessMs) await updateRun(tx, run.id, lateChange(lateMs))
    }
    await database.transaction(plan, { isLong: true })
  }

  /** Continues or ends a run, or holds it if it is late: not started in time, or without any worker for too long. */
  async function continueRun(run: RunRow, active: ReadonlySet<string> | undefined): Promise<void> {
    const now = clock.now()
    await database.transaction(async (tx) => {
      const current = await lockRun(tx, run.id)
      if (current === null || (current.state !== 'planned' && current.state !== 'sending')) return
      // One that nothing was sent of waits until it is published again, and isn't late.
      if (await isWithdrawn(tx, current)) {
        if (current.state === 'sending') await updateRun(tx, run.id, withdrawnChange)
        return
      }
      const lateMs = now.getTime() - (current.activeAt ?? current.sendAfter).getTime()
      if (lateMs > latenessMs) {
        await updateRun(tx, run.id, lateChange(lateMs))
        logger.warn({ runId: run.id, lateMinutes: Math.floor(lateMs / minuteMs) }, 'delivery held')
        return
      }
      if (current.state === 'planned') {
        // Its job was lost.
        if (lateMs > minuteMs) await enqueueSending(jobs, tx, run.id)
        return
      }
      await updateRun(tx, run.id, { activeAt: now })
      for (const { job, methods } of idleTransports(active)) {
        if (await hasClaimable(tx, run.id, methods, now)) await jobs.enqueue(tx, job, { runId: run.id })
      }
      // Its last deliveries may have been in flight when their worker was lost.
      if (active === undefined && (await finishRun(tx, run.id, now))) {
        logger.info({ runId: run.id }, 'delivery done')
      }
    })
  }

  async function continueRuns(): Promise<void> {
    const gate = await readSendingGate(database.db, deps.siteHost, clock.now())
    if (!gate.isOpen) return logger.warn({ reason: gate.reason }, 'all sending is held')
    const active = await listActiveTransports(database.db)
    for (const run of await listOpenRuns(database.db, clock.now())) await continueRun(run, active.get(run.id))
  }

  return {
    async sweep(): Promise<void> {
      await recover()
      await resolveOld()
      const today = dateInZone(clock.now(), timeZone)
      await planDigestDue(addDays(today, -1))
      await planDigestDue(today)
      await continueRuns()
      // Last, because Twilio may be slow.
      await deps.textEvents.lookUp()
    },
  }
}
