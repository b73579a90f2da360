/** The object is kept as it looked on the wire when the event happened. */
export type EventRecord = {
  id: string
  created: number
  type: string
  object: Record<string, unknown>
  previousAttributes: Record<string, unknown> | null
  request: { id: string | null; idempotencyKey: string | null }
  /** Null for an event that is not sent to anybody. */
  delivery: EventDelivery | null
}

/** How the delivery of an event goes; `lastFailure` says why the last attempt failed. */
export type EventDelivery =
  | { state: 'pending'; attempts: number; nextAttemptAt: number; lastFailure: string | null }
  | { state: 'delivered' }
