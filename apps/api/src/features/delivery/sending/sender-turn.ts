import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { dateInZone } from '#features/editions/index.ts'
import type { PdfFormat } from '#integrations/pdf/pdf-document.ts'
import { isDatabaseUnavailable } from '#platform/database.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import type { SendingPermission } from '#platform/sending-guard/sending-permission.ts'
import { readContent } from '../content/read-content.ts'
import type { DeliveryContent, DeliveryRecipient } from '../delivery-email.ts'
import {
  exchangeDeliveries,
  firstPossibleId,
  mostStarted,
  releaseUnsent,
  type Sender,
  type StartedDelivery,
} from '../ledger/deliveries.repository.ts'
import { findRunById, getContentVersion, type RunRow, updateRun } from '../ledger/runs.repository.ts'
import { settleDeliveries } from '../ledger/sent-deliveries.repository.ts'
import { withdrawnChange } from '../ledger/withdrawal.ts'
import { isPdfMethod } from '../methods.ts'
import type { HandOver, HandOverResult, Transport } from '../transports.ts'
import { handOverNone, messagesOf, partsOf, type Rendition, renditionOf } from './message-parts.ts'
import { type Finished, outcomesOf } from './outcomes.ts'
import { createServerWatch } from './server-watch.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock' | 'logger'> & {
  transport: Transport
  method: DeliveryRecipient['method']
  appId: string
  pushKey: string | null
  timeZone: string
  sender: Sender
  permission: SendingPermission
  /** Called if what is to be sent can't be recorded: then nothing is sent. */
  onUnwritable(error: unknown): Promise<void>
  run: RunRow
  isStopping: () => boolean
}

/** The content that is sent now, with its renditions so far, and the pages that memos can't carry. */
type Rendered = {
  version: string
  content: DeliveryContent
  handOvers: Map<Rendition, HandOver>
  unrendered: PdfFormat[]
}

const databaseRetries = 60
const databaseRetryMs = 1_000
/** How often it looks whether deliveries must be postponed. */
const postponeMs = 60_000
/** After so many messages in a row without a clear reply, the server counts as unavailable. */
const mostUnknown = 5

/**
 * Creates one sender's work on the deliveries of a run by one method, with at most `concurrency` in flight. One statement
 * stores what became of messages and marks the next ones before they are handed over, so that only those in flight can
 * become unconfirmed.
 */
export function createSenderTurn(deps: Deps) {
  const { database, clock, logger, transport, method, sender, permission } = deps
  const server = createServerWatch(deps, transport.name)
  const inFlight = new Map<string, Promise<void>>()
  const finished: Finished[] = []
  /** The claimed deliveries that are recorded before they are handed over. */
  let recording: readonly StartedDelivery[] = []
  let rendered: Rendered | null = null
  /** The highest id that was claimed. Rows below it are claimed already, or wait for a retry. */
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
      await updateRun(database.db, run.id, withdrawnChange)
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
      handOvers.set(rendition, await transport.prepare(content, parts, deps.run))
    } catch (error) {
      if (parts.pdf === null || isDatabaseUnavailable(error)) throw error
      logger.warn({ err: error, runId: sender.runId, pages: parts.pdf }, 'pdf rendering failed')
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
    await followDomains(done)
    const now = clock.now()
    const rules = { appId: deps.appId, today: dateInZone(now, deps.timeZone), pushKey: deps.pushKey }
    const started = await untilAvailable(() =>
      exchangeDeliveries(database.sql, sender, {
        outcomes: done.flatMap((each) => outcomesOf(each, { now, since: deps.run.sendAfter })),
        permission,
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
    const ready = missing === null ? await record(started) : null
    for (const row of ready ?? []) start(row, rendered.handOvers)
    // Of a message that was sent before, what it didn't carry is sent alone.
    if (ready === null || ready.length < started.length) await untilAvailable(releaseClaimed)
    for (const { row, result } of done) {
      if (result.outcome !== 'accepted') await untilAvailable(() => transport.refused(row.address, result))
    }
    if (missing !== null) await renderOne(rendered, missing)
    if (limit > 0 && started.length === 0) await startAgainOrEnd(rendered)
  }

  /** Before others are started, so that no more go to a domain that refuses us. */
  async function followDomains(done: readonly Finished[]): Promise<void> {
    for (const { row, result } of done) {
      if (row.isProbe || result.outcome === 'blocked')
        await untilAvailable(() => transport.followDomain(row, result))
    }
  }

  /**
   * Records what is handed over next, and settles what was sent before the database was restored. Returns the others; null
   * if they can't be recorded.
   */
  async function record(started: readonly StartedDelivery[]): Promise<readonly StartedDelivery[] | null> {
    const messages = started.flatMap((row) => messagesOf(row, method))
    const counter = started[0]?.counter ?? 0
    recording = started
    try {
      const known = await permission.record({ counter, messages, at: clock.now() })
      if (known.length === 0) return started
      const now = clock.now()
      await untilAvailable(() => settleDeliveries(database.sql, known, { areClaimed: true, now }))
      const knownIds = new Set(known.map(({ id }) => id))
      return started.filter(({ id, pdf }) => !knownIds.has(id) && !knownIds.has(pdf?.id ?? ''))
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
      isOver = true
      await deps.onUnwritable(error)
      return null
    } finally {
      recording = []
    }
  }

  function start(row: StartedDelivery, handOvers: Rendered['handOvers']): void {
    if (row.id > takenUpTo) takenUpTo = row.id
    const send = handOvers.get(renditionOf(method, row))
    if (row.state !== 'sending' || send === undefined) return
    const handedOver = handOver(row, send).then((result) => {
      inFlight.delete(row.id)
      finished.push({ row, result })
      const { outcome } = result
      if (outcome === 'unknown') return
      for (const { id } of messagesOf(row, method)) {
        permission.note(id, outcome === 'accepted' ? outcome : 'refused')
      }
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
    const others = [...finished.map(({ row }) => row), ...recording]
    const handedOver = [...inFlight.keys(), ...others.map(({ id }) => id)]
    await releaseUnsent(database.db, sender, handedOver, permission, clock.now())
  }

  async function handOver(row: StartedDelivery, send: HandOver): Promise<HandOverResult> {
    const { id: deliveryId, memberId, linkVersion, address, stopNotice } = row
    try {
      const result = await send({ deliveryId, memberId, linkVersion, method, address, stopNotice })
      // A server that fails after each message would leave the whole run unconfirmed.
      unknownInARow = result.outcome === 'unknown' ? unknownInARow + 1 : 0
      if (result.outcome === 'accepted') server.accepted()
      if (result.outcome === 'unavailable') stopAt(result)
      if (result.outcome === 'unknown' && unknownInARow >= mostUnknown) stopAt(result)
      return result
    } catch (error) {
      logger.warn({ err: error, deliveryId }, 'delivery rendering failed')
      return { outcome: 'permanent', code: 'render', response: 'The message could not be rendered.' }
    }
  }

  function stopAt(result: { code: string; response: string }): void {
    const { code } = result
    server.failed(result)
    if (isAvailable)
      logger.warn({ code, runId: sender.runId, transport: transport.name }, 'server unavailable')
    isAvailable = false
    isOver = true
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
        await server.settled()
        await untilAvailable(releaseIfUncertain)
        if (rendered !== null && finished.length > 0) await exchange(rendered, 0)
      }
      return isAvailable
    },
  }
}
