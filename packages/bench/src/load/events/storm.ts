import { createHmac } from 'node:crypto'

/** The events that Stripe sends about one customer in a busy moment. Each one requests a sync. */
const kinds = [
  'checkout.session.completed',
  'customer.subscription.created',
  'invoice.paid',
  'customer.subscription.updated',
  'invoice.payment_failed',
  'customer.subscription.updated',
  'invoice.payment_action_required',
  'customer.subscription.updated',
  'invoice.paid',
  'customer.subscription.updated',
] as const

export const eventsEach = kinds.length

/** An event to send: its customer and type. */
type StormEvent = { customerId: string; type: string }

/** Returns the events of a storm: bursts of customers whose events are interleaved. */
export function eventsOf(customerIds: readonly string[], customersABurst: number): StormEvent[] {
  const bursts = Array.from({ length: Math.ceil(customerIds.length / customersABurst) }, (_, burst) =>
    customerIds.slice(burst * customersABurst, (burst + 1) * customersABurst),
  )
  return bursts.flatMap((ids) => kinds.flatMap((type) => ids.map((customerId) => ({ customerId, type }))))
}

/** Returns the body of an event as Stripe posts it. */
export function bodyOf(
  { customerId, type }: StormEvent,
  { id, object, seconds }: { id: string; object: object; seconds: number },
): string {
  const data = { object: { ...object, customer: customerId } }
  const told = { id, object: 'event', created: seconds, data, livemode: false, pending_webhooks: 1, type }
  return JSON.stringify(told, null, 2)
}

/** Returns the signature header of a body. */
export function signatureOf(body: string, secret: string, seconds: number): string {
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${signature}`
}
