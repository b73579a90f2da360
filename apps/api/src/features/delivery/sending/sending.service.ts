import { hostname } from 'node:os'
import { pid } from 'node:process'
import type { BulkMailer } from '#integrations/mail/bulk-mailer.ts'
import type { PlatformDeps } from '#platform/deps.ts'
import { sendRun } from '../delivery.jobs.ts'
import type { PrepareDeliveryEmail } from '../delivery-email.ts'
import { readSendingGate } from '../ledger/control.repository.ts'
import { createSender, removeSender, renewSender } from '../ledger/deliveries.repository.ts'
import {
  finishRun,
  hasClaimable,
  listMemoIdsOfRun,
  lockRun,
  type RunRow,
  updateRun,
} from '../ledger/runs.repository.ts'
import { lateChange } from '../schedule/lateness.ts'
import { createSenderTurn } from './sender-turn.ts'

type Deps = Pick<PlatformDeps, 'database' | 'jobs' | 'clock' | 'ids' | 'logger'> & {
  prepareEmail: PrepareDeliveryEmail
  bulkMailer: BulkMailer
  /** Counts a refusal of an address for good. */
  recordRefusal(address: string, reason: string): Promise<void>
  appId: string
  timeZone: string
  siteHost: string
  latenessMinutes: number
}

const heartbeatMs = 5_000
/** A run with more deliveries than this is shared by several senders. */
const deliveriesOfOneSender = 500
const sendersOfRun = 4

/** Sends the deliveries of runs. Any number of processes may send the same run. */
export function createSending(deps: Deps) {
  const { database, jobs, clock, ids, logger } = deps
  const turns = new Set<Promise<void>>()
  let isStopping = false

  async function enqueue(runId: number): Promise<void> {
    await database.transaction((tx) => jobs.enqueue(tx, sendRun, { runId }))
  }

  /** Starts a run that is due. Returns it while it is being sent. */
  async function begin(runId: number): Promise<RunRow | null> {
    const now = clock.now()
    return await database.transaction(async (tx) => {
      const run = await lockRun(tx, runId)
      if (run?.state === 'sending') return run
      if (run?.state !== 'planned' || run.plannedAt === null || run.sendAfter > now) return null
      const lateMs = now.getTime() - run.sendAfter.getTime()
      if (lateMs > deps.latenessMinutes * 60_000) {
        await updateRun(tx, runId, lateChange(lateMs))
        logger.warn({ runId }, 'delivery held')
        return null
      }
      const memoIds = await listMemoIdsOfRun(tx, runId)
      // Withdrawn meanwhile: it waits until it is published again.
      if (memoIds.length === 0) return null
      if (await hasClaimable(tx, runId, now, deliveriesOfOneSender)) {
        for (let other = 1; other < sendersOfRun; other += 1) await jobs.enqueue(tx, sendRun, { runId })
      }
      return await updateRun(tx, runId, { state: 'sending', startedAt: now, activeAt: now, memoIds })
    })
  }

  async function take(run: RunRow): Promise<void> {
    const sender = { id: ids.uuid(), runId: run.id }
    await createSender(database.db, sender, `${hostname()}:${pid}`, clock.now())
    const turn = createSenderTurn({ ...deps, sender, run, isStopping: () => isStopping })
    const heartbeat = setInterval(() => {
      renewSender(database.db, sender, clock.now()).then(
        (isKnown) => isKnown || turn.stop(),
        (error: unknown) => logger.warn({ err: error }, 'sender heartbeat failed'),
      )
    }, heartbeatMs)
    try {
      await turn.run()
      // Kept after an error: what is still being handed over then becomes unconfirmed.
      await removeSender(database.db, sender)
    } finally {
      clearInterval(heartbeat)
    }
    const isDone = await finishRun(database.db, run.id, clock.now())
    if (isDone) logger.info({ runId: run.id }, 'delivery done')
    else if (isStopping) await enqueue(run.id)
  }

  return {
    /** Sends what can be sent of a run now. */
    async send(runId: number): Promise<void> {
      if (isStopping) return await enqueue(runId)
      const gate = await readSendingGate(database.db, deps.siteHost, clock.now())
      if (!gate.isOpen) return logger.warn({ runId, reason: gate.reason }, 'all sending is held')
      const run = await begin(runId)
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
