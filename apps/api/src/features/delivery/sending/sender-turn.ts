import { setTimeout as wait } from 'node:timers/promises'
import { dateInZone } from '#features/editions/index.ts'
import type { BulkMailer, BulkResult } from '#integrations/mail/bulk-mailer.ts'
import { batched } from '#platform/batched.ts'
import { isDatabaseUnavailable } from '#platform/database.ts'
import type { PlatformDeps } from '#platform/deps.ts'
import {
  type DeliveryEmail,
  type DeliveryRecipient,
  messageIdOf,
  type PrepareDeliveryEmail,
} from '../delivery-email.ts'
import {
  claimDeliveries,
  type DeliveryOutcome,
  recordOutcomes,
  type Sender,
  type StartedDelivery,
  startDeliveries,
} from '../ledger/deliveries.repository.ts'
import { findRunById, getContentVersion, type RunRow, updateRun } from '../ledger/runs.repository.ts'
import { readContent } from './content.ts'
import { nextAttempt } from './retry-policy.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock' | 'logger'> & {
  prepareEmail: PrepareDeliveryEmail
  bulkMailer: BulkMailer
  /** Counts a refusal of an address for good. */
  recordRefusal(address: string, reason: string): Promise<void>
  appId: string
  timeZone: string
  sender: Sender
  run: RunRow
  isStopping: () => boolean
}

type Rendered = { version: string; fill: (recipient: DeliveryRecipient) => DeliveryEmail }

/** A delivery that may be handed over with the content used; no row if the ledger refused. */
type Start = { used: Rendered | null; row: StartedDelivery | undefined }

const claimSize = 200
const databaseRetries = 60
const databaseRetryMs = 1_000

/**
 * One sender's work on a run, with at most `concurrency` messages in flight. Each message is marked in the ledger before
 * it is handed over and after the server replied; only those in between can become unconfirmed.
 */
export function createSenderTurn(deps: Deps) {
  const { database, clock, logger, bulkMailer, sender } = deps
  const queue: string[] = []
  let claiming: Promise<void> | null = null
  let rendered: Rendered | null = null
  let rendering: Promise<void> | null = null
  let isOver = false
  /** Nothing is left to claim; other lanes may still be rendering a correction for what they claimed. */
  let isExhausted = false

  async function render(): Promise<void> {
    const run = await findRunById(database.db, sender.runId)
    if (run?.state !== 'sending') return end()
    // The version first: a change in between makes the ledger refuse, and this runs again.
    const version = await getContentVersion(database.db, run.id)
    const content = await readContent(database.db, run)
    if (content === null) {
      const heldReason = 'It was withdrawn while it was sent. Publish it again and resume to send the rest.'
      await updateRun(database.db, run.id, { state: 'held', heldReason })
      return end()
    }
    rendered = { version, fill: await deps.prepareEmail(content) }
  }

  /** Renders again unless that has happened since `used`. Returns whether the content is another one now. */
  async function renderAfter(used: Rendered | null): Promise<boolean> {
    if (rendered === used) {
      rendering ??= render().finally(() => {
        rendering = null
      })
      await rendering
    }
    return !isOver && rendered?.version !== used?.version
  }

  const start = batched(async (ids: readonly string[]): Promise<Start[]> => {
    const used = rendered
    if (used === null) return ids.map(() => ({ used: null, row: undefined }))
    const now = clock.now()
    const rules = { appId: deps.appId, today: dateInZone(now, deps.timeZone) }
    const started = await untilAvailable(() =>
      startDeliveries(database.db, sender, ids, { content: used.version, rules, now }),
    )
    const byId = new Map(started.map((row) => [row.id, row]))
    return ids.map((id) => ({ used, row: byId.get(id) }))
  })

  const record = batched(async (outcomes: readonly DeliveryOutcome[]) => {
    await untilAvailable(() => recordOutcomes(database.db, sender, outcomes, clock.now()))
    return outcomes
  })

  /** Repeats a statement while the database is down: messages in flight must not become unconfirmed by a restart. */
  async function untilAvailable<T>(statement: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await statement()
      } catch (error) {
        if (!isDatabaseUnavailable(error) || tries > databaseRetries) throw error
        await wait(databaseRetryMs)
      }
    }
  }

  async function claim(): Promise<void> {
    const ids = await claimDeliveries(database.db, sender, claimSize, clock.now())
    if (ids.length === 0) isExhausted = true
    queue.push(...ids)
  }

  async function next(): Promise<string | undefined> {
    while (queue.length === 0 && !isOver && !isExhausted && !deps.isStopping()) {
      claiming ??= claim().finally(() => {
        claiming = null
      })
      await claiming
    }
    return queue.shift()
  }

  function end(): void {
    isOver = true
  }

  async function deliver(id: string): Promise<void> {
    for (;;) {
      const { used, row } = await start(id)
      if (row !== undefined && used !== null) {
        if (row.state === 'sending') await handOver(row, used)
        return
      }
      // Stopped or held, or claimed by another sender meanwhile.
      if (!(await renderAfter(used))) return
    }
  }

  async function handOver(row: StartedDelivery, { fill }: Rendered): Promise<void> {
    const email = fillOrNull(row, fill)
    const result: BulkResult =
      email === null
        ? { outcome: 'permanent', code: 'render', response: 'The email could not be rendered.' }
        : await bulkMailer.send({ ...email, to: row.address, messageId: messageIdOf(row.id) })
    if (result.outcome === 'unavailable') stopAt(result.code)
    await record(outcomeOf(row, result))
    if (result.outcome === 'permanent' && /^5\d\d$/.test(result.code)) {
      await untilAvailable(() => deps.recordRefusal(row.address, `${result.code} ${result.response}`))
    }
  }

  function fillOrNull({ id, memberId, method, address, name }: StartedDelivery, fill: Rendered['fill']) {
    if (method !== 'memo_email' && method !== 'digest') return null
    try {
      return fill({ deliveryId: id, memberId, method, address, name })
    } catch (error) {
      logger.warn({ err: error, deliveryId: id }, 'email could not be rendered')
      return null
    }
  }

  function stopAt(code: string): void {
    if (!isOver) logger.warn({ code, runId: sender.runId }, 'mail server unavailable')
    queue.length = 0
    end()
  }

  function outcomeOf({ id, attempts }: StartedDelivery, result: BulkResult): DeliveryOutcome {
    if (result.outcome === 'accepted') return { id, state: 'sent', reason: null, nextAttemptAt: null }
    const reason = `${result.code} ${result.response}`.trim()
    if (result.outcome === 'permanent') return { id, state: 'failed', reason, nextAttemptAt: null }
    if (result.outcome === 'unknown') return { id, state: 'unconfirmed', reason, nextAttemptAt: null }
    const nextAttemptAt = nextAttempt({ attempts, now: clock.now(), since: deps.run.sendAfter })
    return { id, state: nextAttemptAt === null ? 'failed' : 'planned', reason, nextAttemptAt }
  }

  async function lane(): Promise<void> {
    for (let id = await next(); id !== undefined; id = await next()) {
      if (deps.isStopping()) return
      await deliver(id)
    }
  }

  return {
    /** Sends until nothing is left, the run or the process stops, or the mail server is unavailable. */
    async run(): Promise<void> {
      await renderAfter(null)
      const lanes = Array.from({ length: bulkMailer.concurrency }, lane)
      // One error ends the turn, after the messages in flight.
      const settled = await Promise.allSettled(
        lanes.map((each) =>
          each.catch((error: unknown) => {
            stopAt('error')
            throw error
          }),
        ),
      )
      for (const result of settled) if (result.status === 'rejected') throw result.reason
    },
    /** Stops after the messages in flight. */
    stop(): void {
      queue.length = 0
      end()
    },
  }
}
