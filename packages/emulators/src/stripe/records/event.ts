import type { Common } from './common.ts'

export type WebhookEndpointRecord = Common & {
  url: string
  secret: string
  enabledEvents: string[]
  status: 'enabled' | 'disabled'
  description: string | null
}

/** The object is kept as it looked on the wire when the event happened. */
export type EventRecord = {
  id: string
  created: number
  type: string
  object: Record<string, unknown>
  previousAttributes: Record<string, unknown> | null
  request: { id: string | null; idempotencyKey: string | null }
  /** Deliveries that have not been taken yet, by webhook endpoint; `lastFailure` is why the last try was none. */
  pending: { endpointId: string; tries: number; nextTryAt: number; lastFailure: string | null }[]
  /** The webhook endpoints that have taken it. */
  takenBy: string[]
}
