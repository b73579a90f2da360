import { createHmac } from 'node:crypto'

/** What Stripe tells of a customer in a moment in which much happens to them; each is a reason to look. */
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

/** An event to come: whom it is about, and of what kind it is. */
type ToldEvent = { customerId: string; type: string }

/**
 * The events of a storm in their order: bursts of so many customers, each of whom is told of in turns until all that
 * happened to them is told.
 */
export function eventsOf(customerIds: readonly string[], customersABurst: number): ToldEvent[] {
  const bursts = Array.from({ length: Math.ceil(customerIds.length / customersABurst) }, (_, burst) =>
    customerIds.slice(burst * customersABurst, (burst + 1) * customersABurst),
  )
  return bursts.flatMap((ids) => kinds.flatMap((type) => ids.map((customerId) => ({ customerId, type }))))
}

/** An event as Stripe posts it, about an object that is the customer's. */
export function bodyOf(
  { customerId, type }: ToldEvent,
  { id, object, seconds }: { id: string; object: object; seconds: number },
): string {
  const data = { object: { ...object, customer: customerId } }
  const told = { id, object: 'event', created: seconds, data, livemode: false, pending_webhooks: 1, type }
  return JSON.stringify(told, null, 2)
}

/** The header that proves, with the secret, who posts this body at this second. */
export function signatureOf(body: string, secret: string, seconds: number): string {
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return `t=${seconds},v1=${signature}`
}
