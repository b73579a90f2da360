import Stripe from 'stripe'
import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import { InvalidSignatureError, type PaymentEvent } from './payment-gateway.ts'
import { instantOf } from './stripe-connection.ts'

/** How old an event's signature may be, in seconds. */
const toleranceSeconds = 300
/** The end of the year 9999. */
const lastSecond = 253_402_300_799

/** Stripe's ids and types are ASCII. Nothing longer fits where they are stored. */
const name = (most: number) =>
  z
    .string()
    .regex(/^[\x21-\x7e]+$/)
    .max(most)
const id = name(64)
const reference = z.union([id, z.object({ id }).transform((object) => object.id)]).nullish()

/** An event, and what it is about as far as that says whose it is. */
const eventSchema = z.object({
  id: name(255),
  type: name(100),
  created: z.int().min(0).max(lastSecond),
  data: z.object({
    object: z.object({
      object: z.string().optional(),
      id: id.nullish().catch(null),
      customer: reference.catch(null),
      charge: reference.catch(null),
    }),
  }),
})

type Settings = { webhookSecret: string; clock: Clock }

/** Reads what Stripe posted; throws InvalidSignatureError unless Stripe signed just these bytes a moment ago. */
export function readStripeEvent(
  { webhookSecret, clock }: Settings,
  body: Buffer,
  signature: string | undefined,
): PaymentEvent {
  const { id, type, created, data } = verified(body, signature ?? '', webhookSecret, clock)
  const { object: kind, id: subjectId, customer, charge } = data.object
  return {
    id,
    type,
    createdAt: instantOf(created),
    customerId: (kind === 'customer' ? subjectId : customer) ?? null,
    chargeId: charge ?? null,
  }
}

function verified(body: Buffer, signature: string, secret: string, clock: Clock) {
  try {
    const now = clock.now().getTime()
    const event = Stripe.webhooks.constructEvent(body, signature, secret, toleranceSeconds, undefined, now)
    return eventSchema.parse(event)
  } catch {
    // The SDK's sentence quotes the whole body.
    throw new InvalidSignatureError('an event without a good signature')
  }
}
