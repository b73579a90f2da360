import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { dateInZone } from '#features/editions/index.ts'
import type { BulkResult } from '#integrations/mail/bulk-mailer.ts'
import type { PdfFormat } from '#integrations/pdf/pdf-document.ts'
import { isDatabaseUnavailable } from '#platform/database.ts'
import type { PlatformDeps } from '#platform/deps.ts'
import type { DeliveryContent, DeliveryRecipient } from '../delivery-email.ts'
import {
  type DeliveryOutcome,
  exchangeDeliveries,
  firstPossibleId,
  mostStarted,
  releaseUnsent,
  type Sender,
  type StartedDelivery,
} from '../ledger/deliveries.repository.ts'
import { findRunById, getContentVersion, type RunRow, updateRun } from '../ledger/runs.repository.ts'
import { isPdfMethod } from '../pdf/pdf-methods.ts'
import { readContent } from './content.ts'
import { partsOf, type Rendition, renditionOf } from './message-parts.ts'
import { nextAttempt } from './retry-policy.ts'
import type { HandOver, Transport } from './transports.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock' | 'logger'> & {
  transport: Transport
  method: DeliveryRecipient['method']
  appId: string
  timeZone: string
  sender: Sender
  run: RunRow
  isStopping: () => boolean
}

/** What is sent now, in the renditions that members got so far, and the pages that memos can't carry. */
type Rendered = {
  version: string
  content: DeliveryContent
  handOvers: Map<Rendition, HandOver>
  unrendered: PdfFormat[]
}

/** What became of a message, before the ledger has it. */
type Finished = { row: StartedDelivery; result: BulkResult }

const databaseRetries = 60
const databaseRetryMs = 1_000
/** How often it looks whether deliveries must be postponed. */
const postponeMs = 60_000
/** The outcome of a delivery whose PDF can't be made now. */
const unrendered: BulkResult = {
  outcome: 'temporary',
  code: 'render',
  response: 'The PDF could not be rendered.',
}
const handOverNone: HandOver = async () => unrendered
/** After so many messages in a row without a clear reply, the server counts as unavailable. */
const mostUnknown = 5

/**
 * Creates one sender's work on the deliveries of a run by one method, with at most `concurrency` in flight. One statement
 * stores what became of messages and marks the next ones before they are handed over, so that only those in flight can
 * become unconfirmed.
 */
export function createSenderTurn(deps: Deps) {
  const { database, clock, logger, transport, method, sender } = deps
  const inFlight = new Map<string, Promise<void>>()
  const finished: Finished[] = []
  let rendered: Rendered | null = null
  /** The newest delivery that was taken: earlier ones are taken too, or wait to be tried again. */
  let takenUpTo = firstPossibleId
  let isOver = false
  let isAvailable = true
  /** A statement failed, and may be stored all the same. */
  let isUncertain = false
  let postponeAt = 0
  let unknownInARow = 0

  /** Renders what is to be sent now. Returns whether it is something else than before. */
  async function render(): Promise<boolean> {
    const run = await findRunById(database.db, sender.runId)
    if (run?.state !== 'sending') return false
    // The version first: a change in between makes the ledger refuse, and this runs again.
    const version = await getContentVersion(database.db, run.id)
    if (version === rendered?.version) return false
    const content = await readContent(database.db, run)
    if (content === null) {
      const heldReason = 'It was withdrawn while it was sent. Publish it again and resume to send the rest.'
      await updateRun(database.db, run.id, { state: 'held', heldReason })
      return false
    }
    rendered = { version, content, handOvers: new Map(), unrendered: [] }
    if (!isPdfMethod(method)) await renderOne(rendered, 'no-pdf')
    return true
  }

  /** Renders a rendition. If its PDF fails, members wait for it who get nothing else; memos go without it. */
  async function renderOne(rendered: Rendered, rendition: Rendition): Promise<void> {
    const { content, handOvers, unrendered } = rendered
    const parts = partsOf(method, rendition)
    try {
      handOvers.set(rendition, await transport.prepare(content, parts))
    } catch (error) {
      if (parts.pdf === null || isDatabaseUnavailable(error)) throw error
      logger.warn({ err: error, runId: sender.runId, pages: parts.pdf }, 'rendering a pdf failed')
      if (isPdfMethod(method)) handOvers.set(rendition, handOverNone)
      else {
        unrendered.push(parts.pdf)
        await renderOne(rendered, 'failed-pdf')
      }
    }
  }

  /** Returns a rendition that members get and that isn't rendered yet. */
  function renditionToRender({ handOvers }: Rendered, started: readonly StartedDelivery[]): Rendition | null {
    const missing = started.find((row) => row.state === 'sending' && !handOvers.has(renditionOf(method, row)))
    return missing === undefined ? null : renditionOf(method, missing)
  }

  /** Postpones what must not be sent now. Quiet hours may begin while a run is sent. */
  async function postpone(): Promise<void> {
    const now = clock.now().getTime()
    if (now < postponeAt) return
    await untilAvailable(() => transport.postpone(sender.runId))
    postponeAt = now + postponeMs
  }

  /** Stores what became of messages, and hands over as many others. */
  async function exchange(rendered: Rendered, limit: number): Promise<void> {
    if (limit > 0) await postpone()
    // One statement stores all replies that have arrived.
    await nextTurn()
    const done = [...finished]
    const now = clock.now()
    const rules = { appId: deps.appId, today: dateInZone(now, deps.timeZone) }
    const started = await untilAvailable(() =>
      exchangeDeliveries(database.sql, sender, {
        outcomes: done.flatMap(outcomesOf),
        start: {
          limit,
          method,
          after: takenUpTo,
          content: rendered.version,
          rules,
          timeZone: deps.timeZone,
          unrendered: rendered.unrendered,
        },
        now,
      }),
    )
    finished.splice(0, done.length)
    const missing = renditionToRender(rendered, started)
    // Rendering takes seconds, and a worker that is killed leaves what it has claimed unconfirmed.
    if (missing !== null) await untilAvailable(releaseClaimed)
    else for (const row of started) start(row, rendered.handOvers)
    for (const { row, result } of done) {
      if (result.outcome === 'permanent') await untilAvailable(() => transport.refused(row.address, result))
    }
    if (missing !== null) await renderOne(rendered, missing)
    if (limit > 0 && started.length === 0) await startAgainOrEnd(rendered)
  }

  function start(row: StartedDelivery, handOvers: Rendered['handOvers']): void {
    if (row.id > takenUpTo) takenUpTo = row.id
    const send = handOvers.get(renditionOf(method, row))
    if (row.state !== 'sending' || send === undefined) return
    const handedOver = handOver(row, send).then((result) => {
      inFlight.delete(row.id)
      finished.push({ row, result })
    })
    inFlight.set(row.id, handedOver)
  }

  /** Looks for earlier deliveries to be tried again, and for other content. Ends the turn if there is neither. */
  async function startAgainOrEnd({ handOvers }: Rendered): Promise<void> {
    for (const [each, handOver] of handOvers) if (handOver === handOverNone) handOvers.delete(each)
    if (takenUpTo !== firstPossibleId) takenUpTo = firstPossibleId
    else if (!(await render())) isOver = true
  }

  /**
   * Repeats a statement while the database is down: messages in flight must not become unconfirmed by a restart. What it
   * may have marked before the connection was lost is released.
   */
  async function untilAvailable<T>(statement: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries += 1) {
      try {
        await releaseIfUncertain()
        return await statement()
      } catch (error) {
        isUncertain = true
        if (!isDatabaseUnavailable(error) || tries === databaseRetries) throw error
        await wait(databaseRetryMs)
      }
    }
  }

  async function releaseIfUncertain(): Promise<void> {
    if (!isUncertain) return
    await releaseClaimed()
    isUncertain = false
  }

  /** Releases what is marked as being handed over and isn't. */
  async function releaseClaimed(): Promise<void> {
    const handedOver = [...inFlight.keys(), ...finished.map(({ row }) => row.id)]
    await releaseUnsent(database.db, sender, handedOver, clock.now())
  }

  async function handOver(row: StartedDelivery, send: HandOver): Promise<BulkResult> {
    const { id: deliveryId, memberId, linkVersion, address, stopNotice } = row
    try {
      const result = await send({ deliveryId, memberId, linkVersion, method, address, stopNotice })
      // A server that fails after each message would leave the whole run unconfirmed.
      unknownInARow = result.outcome === 'unknown' ? unknownInARow + 1 : 0
      if (result.outcome === 'unavailable') stopAt(result.code)
      if (result.outcome === 'unknown' && unknownInARow >= mostUnknown) stopAt(result.code)
      return result
    } catch (error) {
      logger.warn({ err: error, deliveryId }, 'rendering a delivery failed')
      return { outcome: 'permanent', code: 'render', response: 'The message could not be rendered.' }
    }
  }

  function stopAt(code: string): void {
    if (isAvailable)
      logger.warn({ code, runId: sender.runId, transport: transport.name }, 'server unavailable')
    isAvailable = false
    isOver = true
  }

  /** Returns what became of a delivery, and of the PDF that its message carried. */
  function outcomesOf(finished: Finished): DeliveryOutcome[] {
    const { id, pdf } = finished.row
    const outcome = { ...outcomeOf(finished), sentWith: null }
    if (pdf?.state !== 'sending') return [outcome]
    return [outcome, { ...outcome, id: pdf.id, sentWith: outcome.state === 'planned' ? null : id }]
  }

  function outcomeOf({ row: { id, attempts }, result }: Finished): Omit<DeliveryOutcome, 'sentWith'> {
    if (result.outcome === 'accepted') return { id, state: 'sent', reason: null, nextAttemptAt: null }
    const reason = `${result.code} ${result.response}`.trim()
    if (result.outcome === 'permanent') return { id, state: 'failed', reason, nextAttemptAt: null }
    if (result.outcome === 'unknown') return { id, state: 'unconfirmed', reason, nextAttemptAt: null }
    const nextAttemptAt = nextAttempt({ attempts, now: clock.now(), since: deps.run.sendAfter })
    return { id, state: nextAttemptAt === null ? 'failed' : 'planned', reason, nextAttemptAt }
  }

  return {
    /** Sends until nothing is left, or something stops it. Returns whether the server is available. */
    async run(): Promise<boolean> {
      await render()
      try {
        while (rendered !== null) {
          const free = isOver || deps.isStopping() ? 0 : transport.concurrency - inFlight.size
          if (free > 0 || finished.length > 0) await exchange(rendered, Math.min(free, mostStarted))
          else if (inFlight.size > 0) await Promise.race(inFlight.values())
          else break
        }
      } finally {
        // After an error, too: what the server replied is stored, and what wasn't handed over is released.
        isOver = true
        await Promise.all(inFlight.values())
        await untilAvailable(releaseIfUncertain)
        if (rendered !== null && finished.length > 0) await exchange(rendered, 0)
      }
      return isAvailable
    },
  }
}
