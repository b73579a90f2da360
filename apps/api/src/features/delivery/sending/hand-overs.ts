import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import type { SendingPermission } from '#platform/sending-guard/sending-permission.ts'
import type { DeliveryRecipient } from '../delivery-email.ts'
import type { DeliveryOutcome, Sender, StartedDelivery } from '../ledger/deliveries.repository.ts'
import { storeAvailable, storeUnavailable } from '../ledger/server-state.repository.ts'
import { backoffMinutes, longestRetryMs } from '../retry-times.ts'
import { type HandOver, type HandOverResult, replyOf, type Transport } from '../transports.ts'
import type { CountMessage } from './message-counter.ts'
import { messagesOf } from './rendered-content.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock' | 'logger'> & {
  transport: Transport
  method: DeliveryRecipient['method']
  sender: Sender
  permission: SendingPermission
  countMessage: CountMessage
}

/** A message with its result, before the ledger has it. */
export type Finished = { row: StartedDelivery; result: HandOverResult }

const minuteMs = 60_000
/** After so many messages in a row without a clear reply, the server counts as unavailable. */
const maxUnknown = 5

export type HandOvers = ReturnType<typeof createHandOvers>

/** Creates what hands deliveries over to a server and keeps its replies until they are stored. */
export function createHandOvers(deps: Deps) {
  const { logger, transport, method, sender, permission, countMessage } = deps
  const server = createServerWatch(deps, transport.name)
  const inFlight = new Map<string, Promise<void>>()
  const finished: Finished[] = []
  let isAvailable = true
  let unknownInARow = 0

  /** Hands a delivery over, without waiting for the server's reply. */
  function start(row: StartedDelivery, send: HandOver): void {
    const handedOver = handOver(row, send).then((result) => {
      inFlight.delete(row.id)
      finished.push({ row, result })
      const { outcome } = result
      countMessage(transport.name, outcome)
      if (outcome === 'unknown') return
      for (const { id } of messagesOf(row, method)) {
        permission.note(id, outcome === 'accepted' ? outcome : 'refused')
      }
    })
    inFlight.set(row.id, handedOver)
  }

  async function handOver(row: StartedDelivery, send: HandOver): Promise<HandOverResult> {
    const { id: deliveryId, memberId, linkVersion, address, stopNotice } = row
    try {
      const result = await send({ deliveryId, memberId, linkVersion, method, address, stopNotice })
      // A server that fails after each message would leave the whole run unconfirmed.
      unknownInARow = result.outcome === 'unknown' ? unknownInARow + 1 : 0
      if (result.outcome === 'accepted') server.accepted()
      if (result.outcome === 'unavailable') stopAt(result)
      if (result.outcome === 'unknown' && unknownInARow >= maxUnknown) stopAt(result)
      return result
    } catch (error) {
      // The database, or another source of the message, may be away for a moment, such as at a restore.
      logger.warn({ err: error, deliveryId }, 'delivery rendering failed')
      return { outcome: 'temporary', code: 'render', response: 'The message could not be rendered.' }
    }
  }

  function stopAt(result: { code: string; response: string }): void {
    const { code } = result
    server.failed(result)
    if (isAvailable)
      logger.warn({ code, runId: sender.runId, transport: transport.name }, 'server unavailable')
    isAvailable = false
  }

  return {
    inFlight,
    /** The deliveries whose replies aren't stored yet. */
    finished,
    start,
    isAvailable: () => isAvailable,

    /** Waits for all replies. */
    async settled(): Promise<void> {
      await Promise.all(inFlight.values())
      await server.settled()
    },
  }
}

/** Returns the outcomes of a delivery and of the PDF that its message carried. */
export function outcomesOf(finished: Finished, times: { now: Date; since: Date }): DeliveryOutcome[] {
  const { id, pdf } = finished.row
  const outcome = { ...outcomeOf(finished, times), sentWith: null }
  if (pdf?.state !== 'sending') return [outcome]
  return [outcome, { ...outcome, id: pdf.id, sentWith: outcome.state === 'planned' ? null : id }]
}

function outcomeOf(
  { row: { id, attempts }, result }: Finished,
  { now, since }: { now: Date; since: Date },
): Omit<DeliveryOutcome, 'sentWith'> {
  const reason = result.outcome === 'accepted' ? null : replyOf(result)
  const ended = { id, reason, nextAttemptAt: null, attempt: result.outcome }
  switch (result.outcome) {
    case 'accepted':
      return { ...ended, state: 'sent' }
    case 'permanent':
      return { ...ended, state: 'failed' }
    case 'unknown':
      return { ...ended, state: 'unconfirmed' }
    default: {
      // Others of the domain show first whether it refuses them too.
      const tries = result.outcome === 'blocked' && result.isPermanent ? attempts + 1 : attempts
      const at = nextAttempt({ attempts: tries, now, since })
      const nextAttemptAt = at === null ? null : laterOf(at, 'retryAt' in result ? result.retryAt : null)
      return { ...ended, state: nextAttemptAt === null ? 'failed' : 'planned', nextAttemptAt }
    }
  }
}

/**
 * Returns when a delivery is tried again after a temporary refusal; null six hours after sending began. One that began
 * later, such as a text after quiet hours, is tried a few times all the same.
 */
function nextAttempt({ attempts, now, since }: { attempts: number; now: Date; since: Date }): Date | null {
  const minutes = backoffMinutes[Math.max(attempts - 1, 0)] ?? 60
  const at = new Date(now.getTime() + minutes * minuteMs)
  const isOver = at.getTime() - since.getTime() > longestRetryMs && attempts > backoffMinutes.length
  return isOver ? null : at
}

function laterOf(one: Date, other: Date | null | undefined): Date {
  return other && other > one ? other : one
}

/** Creates what stores, for the desk, whether a server accepts messages. Best effort: sending goes on without it. */
function createServerWatch(
  { database, clock, logger }: Pick<PlatformDeps, 'database' | 'clock' | 'logger'>,
  transport: string,
) {
  let isStored = false
  let storing = Promise.resolve()

  function store(work: () => Promise<void>): void {
    storing = storing
      .then(work)
      .catch((error: unknown) => logger.warn({ err: error, transport }, 'server state not stored'))
  }

  return {
    /** Called after each accepted message. Only the first after a failure or the start is stored. */
    accepted(): void {
      if (isStored) return
      isStored = true
      store(() => storeAvailable(database.db, transport))
    },
    failed(reply: { code: string; response: string }): void {
      isStored = false
      const reason = replyOf(reply)
      store(() => storeUnavailable(database.db, { transport, unavailableSince: clock.now(), reason }))
    },
    /** Waits until all is stored. */
    settled: () => storing,
  }
}
