import { hostname } from 'node:os'
import { pid } from 'node:process'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { type HoldReason, holdReasons } from '#platform/sending-guard/hold-reasons.ts'
import type { SendingGuard } from '#platform/sending-guard/sending-guard.ts'
import type { SendingPermission } from '#platform/sending-guard/sending-permission.ts'
import {
  createSender,
  hasClaimable,
  removeSender,
  renewSender,
  type Sender,
} from '../ledger/deliveries.repository.ts'
import {
  finishRun,
  isWithdrawn,
  lateChange,
  listMemoIdsOfRun,
  lockRun,
  nameSubject,
  type RunRow,
  updateRun,
} from '../ledger/runs.repository.ts'
import { ledgerName } from '../ledger/sent-deliveries.repository.ts'
import { idleTransports, type Transport } from '../transports.ts'
import type { CountMessage } from './message-counter.ts'
import { createSenderTurn } from './sender-turn.ts'

type Deps = Pick<PlatformDeps, 'database' | 'jobs' | 'clock' | 'ids' | 'logger'> & {
  transport: Transport
  sendingGuard: SendingGuard
  countMessage: CountMessage
  /** Tells open desks that the counts of a run have changed. */
  noteProgress(runId: number): void
  appId: string
  pushKey: string | null
  timeZone: string
  latenessMinutes: number
}

const heartbeatMs = 5_000
const leftToOthersMs = 5_000

/** A run with more deliveries than this is shared by several senders. */
const deliveriesOfOneSender = 500
const sendersOfRun = 4

/** Sends the deliveries of runs by one transport. Any number of processes may send the same run. */
export function createSending(deps: Deps) {
  const { database, jobs, clock, ids, logger, transport, sendingGuard } = deps
  const turns = new Set<Promise<void>>()
  let isStopping = false

  async function enqueue(runId: number): Promise<void> {
    await database.transaction((tx) => jobs.enqueue(tx, transport.job, { runId }))
  }

  /** Gives a job back if this worker may not send, but others may. */
  async function leaveToOthers(runId: number, reason: HoldReason): Promise<void> {
    logger.warn({ runId, reason, ...holdReasons[reason] }, 'sending held on this worker')
    if ((await sendingGuard.read()) !== null) return
    const startAfter = new Date(clock.now().getTime() + leftToOthersMs)
    await database.transaction((tx) => jobs.enqueue(tx, transport.job, { runId }, { startAfter }))
  }

  async function take(run: RunRow): Promise<void> {
    const sender = { id: ids.uuid(), runId: run.id, transport: transport.name }
    const subject = await nameSubject(database.db, run)
    const permission = await sendingGuard.open({ id: sender.id, ledger: ledgerName, subject })
    if (permission === null) return
    await createSender(database.db, sender, `${hostname()}:${pid}`, clock.now())
    let isLost = false
    const heartbeat = setInterval(() => {
      renewSender(database.db, sender, clock.now()).then(
        (isKnown) => (isLost ||= !isKnown),
        (error: unknown) => logger.warn({ err: error }, 'sender heartbeat failed'),
      )
    }, heartbeatMs)
    try {
      await takeMethods(run, sender, permission, () => isStopping || isLost)
      // Kept after an error: what is still being handed over then becomes unconfirmed.
      await removeSender(database.db, sender)
    } finally {
      clearInterval(heartbeat)
      await sendingGuard.close(sender, permission)
    }
    // Finds at once why the claim was refused.
    await sendingGuard.check()
    const isDone = await database.transaction((tx) => finishRun(tx, run.id, clock.now()))
    deps.noteProgress(run.id)
    if (isDone) logger.info({ runId: run.id }, 'delivery done')
    else if (isStopping) await enqueue(run.id)
  }

  /** Sends the methods one after another, until the server is unavailable. */
  async function takeMethods(
    run: RunRow,
    sender: Sender,
    permission: SendingPermission,
    isStopped: () => boolean,
  ): Promise<void> {
    for (const method of transport.methods) {
      if (isStopped() || !(await hasClaimable(database.db, run.id, [method], clock.now()))) continue
      const claim = { method, sender, permission, run, onUnwritable: sendingGuard.noteUnwritable }
      const turn = createSenderTurn({ ...deps, ...claim, isStopping: isStopped })
      if (!(await turn.run())) return
    }
  }

  return {
    /** Sends what can be sent of a run now. */
    async send(runId: number): Promise<void> {
      if (isStopping) return await enqueue(runId)
      const hold = await sendingGuard.check()
      if (hold !== null) return await leaveToOthers(runId, hold)
      const run = await beginRun(deps, runId)
      if (run === null) return
      const turn = take(run)
      turns.add(turn)
      try {
        await turn
      } finally {
        turns.delete(turn)
      }
    },

    /** Waits for the messages in flight; other workers send the rest. */
    async stop(): Promise<void> {
      isStopping = true
      await Promise.allSettled(turns)
    },
  }
}

/** Starts a run that is due. Returns it while it is being sent. */
async function beginRun(
  {
    database,
    jobs,
    clock,
    logger,
    latenessMinutes,
  }: Pick<Deps, 'database' | 'jobs' | 'clock' | 'logger' | 'latenessMinutes'>,
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
