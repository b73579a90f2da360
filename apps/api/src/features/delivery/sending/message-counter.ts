import type { Metrics } from '#platform/metrics.ts'
import { type HandOverResult, type Transport, transports } from '../transports.ts'

/** Counts a message that was handed over to a server, by its result. */
export type CountMessage = (transport: Transport['name'], outcome: HandOverResult['outcome']) => void

const outcomes = [
  'accepted',
  'blocked',
  'permanent',
  'temporary',
  'unavailable',
  'unknown',
] as const satisfies HandOverResult['outcome'][]

/** Creates the counter of what this process handed over, with every result from the start: a rate needs a first value. */
export function createMessageCounter(metrics: Metrics): CountMessage {
  const messages = metrics.counter({
    name: 'tidings_delivery_messages_total',
    help: 'Messages with editions that this process handed over, by transport and result: accepted by the server, blocked because it refuses us, permanent or temporary refusals, unavailable servers, and lost replies (unknown)',
    labelNames: ['transport', 'outcome'],
  })
  for (const { name: transport } of transports)
    for (const outcome of outcomes) messages.inc({ transport, outcome }, 0)
  return (transport, outcome) => messages.inc({ transport, outcome })
}
