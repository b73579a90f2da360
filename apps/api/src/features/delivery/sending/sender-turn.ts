import { setImmediate as nextTurn } from 'node:timers/promises'
import { maxStarted } from '../ledger/deliveries.repository.ts'
import { createDeliveryClaims, type DeliveryClaimDeps } from './delivery-claims.ts'
import { createHandOvers, type Finished } from './hand-overs.ts'
import {
  addRendition,
  handOverNone,
  missingRendition,
  type RenderedContent,
  renderContent,
  renditionOf,
} from './rendered-content.ts'

type Deps = DeliveryClaimDeps &
  Parameters<typeof createHandOvers>[0] &
  Parameters<typeof renderContent>[0] & { isStopping: () => boolean }

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
