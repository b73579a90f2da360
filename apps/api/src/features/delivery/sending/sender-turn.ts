import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { dateInZone } from '#features/editions/index.ts'
import { isDatabaseUnavailable } from '#platform/database.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import type { SendingPermission } from '#platform/sending-guard/sending-permission.ts'
import type { DeliveryRecipient } from '../delivery-email.ts'
import {
  exchangeDeliveries,
  firstPossibleId,
  maxStarted,
  releaseUnsent,
  type Sender,
  type StartedDelivery,
} from '../ledger/deliveries.repository.ts'
import type { RunRow } from '../ledger/runs.repository.ts'
import { settleDeliveries } from '../ledger/sent-deliveries.repository.ts'
import type { Transport } from '../transports.ts'
import { createHandOvers, type Finished, type HandOvers, outcomesOf } from './hand-overs.ts'
import type { CountMessage } from './message-counter.ts'
import {
  addRendition,
  handOverNone,
  messagesOf,
  missingRendition,
  type RenderedContent,
  renderContent,
  renditionOf,
} from './rendered-content.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock' | 'logger'> & {
  transport: Transport
  method: DeliveryRecipient['method']
  appId: string
  pushKey: string | null
  timeZone: string
  sender: Sender
  permission: SendingPermission
  countMessage: CountMessage
  /** Called if what is to be sent can't be recorded: then nothing is sent. */
  onUnwritable(error: unknown): Promise<void>
  /** Tells open desks that the counts of a run have changed. */
  noteProgress(runId: number): void
  run: RunRow
  isStopping: () => boolean
}

const databaseRetries = 60
const databaseRetryMs = 1_000
/** How often it looks whether deliveries must be postponed. */
const postponeMs = 60_000

/**
 * Creates one sender's work on the deliveries of a run by one method, with at most `concurrency` in flight. One statement
 * stores what became of messages and marks the next ones before they are handed over, so that only those in flight can
 * become unconfirmed.
 */
export function createSenderTurn(deps: Deps) {
  const { clock, transport, method, sender } = deps
  const handOvers = createHandOvers(deps)
  const { inFlight, finished, isAvailable } = handOvers
  const claims = createDeliveryClaims(deps, handOvers)
  const { untilAvailable } = claims
  let rendered: RenderedContent | null = null
  let isOver = false
  let postponeAt = 0

  /** Postpones what must not be sent now. Quiet hours may begin while a run is sent. */
  async function postpone(): Promise<void> {
    const now = clock.now().getTime()
    if (now < postponeAt) return
    await untilAvailable(() => transport.postpone(sender.runId))
    postponeAt = now + postponeMs
  }

  /** Stores what became of messages, and hands over as many others. */
  async function exchange(rendered: RenderedContent, limit: number): Promise<void> {
    if (limit > 0) await postpone()
    // One statement stores all replies that have arrived.
    await nextTurn()
    const done = [...finished]
    await followDomains(done)
    const started = await claims.storeAndClaim(done, rendered, limit)
    deps.noteProgress(sender.runId)
    finished.splice(0, done.length)
    const missing = missingRendition(method, rendered, started)
    // Rendering takes seconds, and a worker that is killed leaves what it has claimed unconfirmed.
    const ready = missing === null ? await claims.record(started) : null
    if (missing === null && ready === null) isOver = true
    for (const row of ready ?? []) {
      const send = rendered.handOvers.get(renditionOf(method, row))
      if (row.state === 'sending' && send !== undefined) handOvers.start(row, send)
    }
    // Of a message that was sent before, what it didn't carry is sent alone.
    if (ready === null || ready.length < started.length) await untilAvailable(claims.release)
    for (const { row, result } of done) {
      if (result.outcome !== 'accepted') await untilAvailable(() => transport.refused(row.address, result))
    }
    if (missing !== null) await addRendition(deps, rendered, missing)
    if (limit > 0 && started.length === 0) await startAgainOrEnd(rendered)
  }

  /** Before others are started, so that no more go to a domain that refuses us. */
  async function followDomains(done: readonly Finished[]): Promise<void> {
    for (const { row, result } of done) {
      if (row.isProbe || result.outcome === 'blocked')
        await untilAvailable(() => transport.followDomain(row, result))
    }
  }

  /** Looks for earlier deliveries to be tried again, and for other content. Ends the turn if there is neither. */
  async function startAgainOrEnd(sent: RenderedContent): Promise<void> {
    for (const [each, send] of sent.handOvers) if (send === handOverNone) sent.handOvers.delete(each)
    if (claims.startAgain()) return
    const other = await renderContent(deps, rendered)
    if (other === null) isOver = true
    else rendered = other
  }

  return {
    /** Sends until nothing is left, or something stops it. Returns whether the server is available. */
    async run(): Promise<boolean> {
      rendered = await renderContent(deps, null)
      try {
        while (rendered !== null) {
          const isEnding = isOver || !isAvailable() || deps.isStopping()
          const free = isEnding ? 0 : transport.concurrency - inFlight.size
          if (free > 0 || finished.length > 0) await exchange(rendered, Math.min(free, maxStarted))
          else if (inFlight.size > 0) await Promise.race(inFlight.values())
          else break
        }
      } finally {
        // After an error, too: what the server replied is stored, and what wasn't handed over is released.
        await handOvers.settled()
        await untilAvailable(claims.releaseIfUncertain)
        if (rendered !== null && finished.length > 0) await exchange(rendered, 0)
      }
      return isAvailable()
    },
  }
}

/** Creates what claims a run's deliveries for a sender, one batch after another, and releases what it doesn't send. */
function createDeliveryClaims(deps: Deps, { inFlight, finished }: Pick<HandOvers, 'inFlight' | 'finished'>) {
  const { database, clock, method, sender, permission } = deps
  const { untilAvailable, releaseIfUncertain } = createDatabaseRetries(release)
  /** The claimed deliveries that are recorded before they are handed over. */
  let recording: readonly StartedDelivery[] = []
  /** The highest id that was claimed. Rows below it are claimed already, or wait for a retry. */
  let takenUpTo = firstPossibleId

  /** Releases what is marked as being handed over and isn't. */
  async function release(): Promise<void> {
    const others = [...finished.map(({ row }) => row), ...recording]
    const handedOver = [...inFlight.keys(), ...others.map(({ id }) => id)]
    await releaseUnsent(database.db, sender, handedOver, permission, clock.now())
  }

  /** Settles what was sent before the database was restored. Returns the others. */
  async function recordMessages(started: readonly StartedDelivery[]): Promise<readonly StartedDelivery[]> {
    const messages = started.flatMap((row) => messagesOf(row, method))
    const known = await permission.record({ counter: started[0]?.counter ?? 0, messages, at: clock.now() })
    if (known.length === 0) return started
    const now = clock.now()
    await untilAvailable(() => settleDeliveries(database.sql, known, { areClaimed: true, now }))
    const knownIds = new Set(known.map(({ id }) => id))
    return started.filter(({ id, pdf }) => !knownIds.has(id) && !knownIds.has(pdf?.id ?? ''))
  }

  return {
    untilAvailable,
    releaseIfUncertain,
    release,

    /** Stores what became of messages, and claims as many others. */
    async storeAndClaim(done: readonly Finished[], rendered: RenderedContent, limit: number) {
      const { appId, pushKey, timeZone } = deps
      const { version: content, unrendered } = rendered
      const now = clock.now()
      const rules = { appId, today: dateInZone(now, timeZone), pushKey }
      return await untilAvailable(() =>
        exchangeDeliveries(database.sql, sender, {
          outcomes: done.flatMap((each) => outcomesOf(each, { now, since: deps.run.sendAfter })),
          permission,
          start: { limit, method, after: takenUpTo, content, rules, timeZone, unrendered },
          now,
        }),
      )
    },

    /** Records what is handed over next. Returns what is still to be sent of it; null if it can't be recorded. */
    async record(started: readonly StartedDelivery[]): Promise<readonly StartedDelivery[] | null> {
      recording = started
      try {
        const ready = await recordMessages(started)
        for (const { id } of ready) if (id > takenUpTo) takenUpTo = id
        return ready
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error
        await deps.onUnwritable(error)
        return null
      } finally {
        recording = []
      }
    },

    /** Claims earlier deliveries again, those to be retried. Returns false if it has just begun with them. */
    startAgain(): boolean {
      const isLater = takenUpTo !== firstPossibleId
      takenUpTo = firstPossibleId
      return isLater
    },
  }
}

/** Creates the retries of a sender's statements. What a failed one may have claimed is released first. */
function createDatabaseRetries(releaseClaimed: () => Promise<void>) {
  /** A statement failed, and may be stored all the same. */
  let isUncertain = false

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

  /** Releases what a failed statement may have claimed. */
  async function releaseIfUncertain(): Promise<void> {
    if (!isUncertain) return
    await releaseClaimed()
    isUncertain = false
  }

  return { untilAvailable, releaseIfUncertain }
}
