import type { CalendarDate } from '@tidings/contracts/edition-key'
import { addDays, dateInZone } from '#features/editions/index.ts'
import type { Database, Db } from '#platform/database.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { holdReasons } from '#platform/sending-guard/hold-reasons.ts'
import type { SendingGuard } from '#platform/sending-guard/sending-guard.ts'
import { hasClaimable, listActiveTransports } from '../ledger/deliveries.repository.ts'
import { failRefused } from '../ledger/refusing-domains.repository.ts'
import {
  findRun,
  finishRun,
  isWithdrawn,
  lateChange,
  listOpenRuns,
  listWaitingDigests,
  lockRun,
  type RunRow,
  reopenRun,
  updateRun,
  withdrawnChange,
} from '../ledger/runs.repository.ts'
import { recoverDeliveries, resolveUnconfirmed } from '../ledger/unconfirmed.repository.ts'
import type { SmsEvents } from '../sms-program/sms-events.service.ts'
import { enqueueSending, idleTransports } from '../transports.ts'
import { type DigestTimes, digestDueAt } from './digest-times.ts'
import type { DeliveryPlanning } from './planning.service.ts'

type Deps = Pick<PlatformDeps, 'database' | 'jobs' | 'clock' | 'logger'> &
  DigestTimes & {
    planning: DeliveryPlanning
    smsEvents: Pick<SmsEvents, 'lookUp'>
    sendingGuard: Pick<SendingGuard, 'check' | 'read'>
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

  /** Plans a digest at its time. One that is too late is held, also yesterday's. */
  async function planDigestDue(date: CalendarDate): Promise<void> {
    const now = clock.now()
    const waiting = await findRun(database.db, { digestDate: date })
    if (waiting !== null && (waiting.plannedAt !== null || waiting.state !== 'planned')) return
    const dueAt = await digestDueAt(database.db, date, deps)
    // Its last edition was withdrawn, or an editor resumed it before its time.
    if (dueAt > now && waiting !== null && waiting.sendAfter <= now)
      await postpone(database, waiting.id, dueAt)
    if (dueAt > now) return
    const plan = async (tx: Db) => {
      const run = await planning.digestDue(tx, date)
      const since = Math.max(dueAt.getTime(), waiting?.sendAfter.getTime() ?? 0)
      const lateMs = now.getTime() - since
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
    await deps.sendingGuard.check()
    // Other workers may send, even if this one may not.
    const reason = await deps.sendingGuard.read()
    if (reason !== null) {
      return logger.warn({ reason, ...holdReasons[reason] }, 'all sending held')
    }
    const active = await listActiveTransports(database.db)
    for (const run of await listOpenRuns(database.db, clock.now())) {
      while ((await failRefused(database.db, run, clock.now())) > 0);
      await continueRun(run, active.get(run.id))
    }
  }

  return {
    async sweep(): Promise<void> {
      await recoverLost(deps)
      await resolveOld(deps)
      const today = dateInZone(clock.now(), timeZone)
      const yesterday = addDays(today, -1)
      const older = await listWaitingDigests(database.db, yesterday)
      for (const date of [...older, yesterday, today]) await planDigestDue(date)
      await continueRuns()
      // Last, because Twilio may be slow.
      await deps.smsEvents.lookUp()
    },
  }
}

async function recoverLost({ database, clock, logger }: Deps): Promise<void> {
  const now = clock.now()
  const since = new Date(now.getTime() - lostAfterMs)
  const lost = await database.transaction((tx) => recoverDeliveries(tx, since, now))
  if (lost > 0) logger.warn({ unconfirmed: lost }, 'deliveries of lost worker unconfirmed')
}

async function resolveOld({ database, clock, unconfirmed }: Deps): Promise<void> {
  const { afterHours, as } = unconfirmed
  if (as === 'none') return
  const now = clock.now()
  const before = new Date(now.getTime() - afterHours * 60 * minuteMs)
  await database.transaction(async (tx) => {
    const resolved = await resolveUnconfirmed(tx, { before }, as, now)
    if (as === 'sent') return
    for (const runId of new Set(resolved.map((row) => row.runId))) await reopenRun(tx, runId, now)
  })
}

async function postpone(database: Database, runId: number, sendAfter: Date): Promise<void> {
  await database.transaction(async (tx) => {
    const run = await lockRun(tx, runId)
    if (run?.state === 'planned' && run.plannedAt === null) await updateRun(tx, runId, { sendAfter })
  })
}
