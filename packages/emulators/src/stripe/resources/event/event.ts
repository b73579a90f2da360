import type { WireObject } from '../../protocol/wire-object.ts'
import type { EventRecord } from './event.record.ts'

/** The version of the API that this is a stand-in for. */
export const apiVersion = '2026-10-28.endive'

/** An event as it is delivered and as it is listed. */
export function toWireEvent(event: EventRecord): WireObject {
  const { object, previousAttributes, request } = event
  return {
    id: event.id,
    object: 'event',
    api_version: apiVersion,
    created: event.created,
    data: { object, ...(previousAttributes ? { previous_attributes: previousAttributes } : {}) },
    livemode: false,
    pending_webhooks: event.delivery?.state === 'pending' ? 1 : 0,
    request: { id: request.id, idempotency_key: request.idempotencyKey },
    type: event.type,
  }
}
