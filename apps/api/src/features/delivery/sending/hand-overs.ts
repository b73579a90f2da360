import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import type { SendingPermission } from '#platform/sending-guard/sending-permission.ts'
import type { DeliveryRecipient } from '../delivery-email.ts'
import type { Sender, StartedDelivery } from '../ledger/deliveries.repository.ts'
import type { HandOver, HandOverResult, Transport } from '../transports.ts'
import type { Finished } from './outcomes.ts'
import { messagesOf } from './rendered-content.ts'
import { createServerWatch } from './server-watch.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock' | 'logger'> & {
  transport: Transport
  method: DeliveryRecipient['method']
  sender: Sender
  permission: SendingPermission
}

/** After so many messages in a row without a clear reply, the server counts as unavailable. */
const maxUnknown = 5

export type HandOvers = ReturnType<typeof createHandOvers>

/** Creates what hands deliveries over to a server and keeps its replies until they are stored. */
export function createHandOvers(deps: Deps) {
  const { logger, transport, method, sender, permission } = deps
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
