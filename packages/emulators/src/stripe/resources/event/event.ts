import { type Endpoint, endpoint } from '../../endpoints/endpoint.ts'
import { listOf, pagination } from '../../protocol/list.ts'
import { object, text } from '../../protocol/params.ts'
import type { WireObject } from '../../protocol/wire-object.ts'
import type { EventRecord } from '../../store/store.ts'

/** The API version that is emulated. */
export const apiVersion = '2026-10-28.endive'

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

const path = '/events'

export const eventEndpoints: Endpoint[] = [
  endpoint('GET', path, object({ ...pagination, type: text.optional() }), ({ store, params }) => {
    const { type } = params
    const found = store.of('event').list((event) => type === undefined || event.type === type)
    return listOf(found, params, `/v1${path}`, toWireEvent)
  }),
]
