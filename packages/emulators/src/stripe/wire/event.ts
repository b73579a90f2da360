import type { WireObject } from '../protocol/wire-object.ts'
import type { EventRecord, WebhookEndpointRecord } from '../records/event.ts'

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
    pending_webhooks: event.pending.length,
    request: { id: request.id, idempotency_key: request.idempotencyKey },
    type: event.type,
  }
}

/** A webhook endpoint as it is answered; its secret is only told when it is made. */
export function toWireWebhookEndpoint(endpoint: WebhookEndpointRecord): WireObject {
  return {
    id: endpoint.id,
    object: 'webhook_endpoint',
    api_version: null,
    application: null,
    created: endpoint.created,
    description: endpoint.description,
    enabled_events: endpoint.enabledEvents,
    livemode: false,
    metadata: endpoint.metadata,
    status: endpoint.status,
    url: endpoint.url,
  }
}
