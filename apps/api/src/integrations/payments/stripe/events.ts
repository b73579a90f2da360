import Stripe from 'stripe'
import { z } from 'zod'
import type { Clock } from '#platform/clock.ts'
import { InvalidSignatureError, type PaymentEvent, UnreadableEventError } from '../payment-gateway.ts'
import { instantOf } from './client.ts'

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
  livemode: z.boolean().nullish(),
  /** Another account's, which is connected to ours. */
  account: id.nullish(),
  data: z.object({
    object: z.object({
      object: z.string().optional(),
      id: id.nullish().catch(null),
      customer: reference.catch(null),
    }),
  }),
})

type Settings = { webhookSecret: string; clock: Clock }

/**
 * Reads what Stripe posted; throws InvalidSignatureError unless Stripe signed just these bytes a moment ago, and
 * UnreadableEventError when it did and they are no event.
 */
export function readStripeEvent(
  { webhookSecret, clock }: Settings,
  body: Buffer,
  signature: string | undefined,
): PaymentEvent {
  const { id, type, created, livemode, account, data } = verified(body, signature ?? '', webhookSecret, clock)
  const { object: kind, id: subjectId = null, customer } = data.object
  return {
    id,
    type,
    createdAt: instantOf(created),
    customerId: (kind === 'customer' ? subjectId : customer) ?? null,
    isLive: livemode ?? null,
    accountId: account ?? null,
    subjectId,
  }
}

function verified(body: Buffer, signature: string, secret: string, clock: Clock) {
  const { data, error } = eventSchema.safeParse(signedEvent(body, signature, secret, clock))
  if (data !== undefined) return data
  const reasons = error.issues.map(({ path, code }) => `${path.join('.')}: ${code}`)
  throw new UnreadableEventError(reasons.join(', '))
}

// NOTE: the SDK's sentences quote the whole body, so only the kind of its error is repeated.
function signedEvent(body: Buffer, signature: string, secret: string, clock: Clock): unknown {
  try {
    const now = clock.now().getTime()
    return Stripe.webhooks.constructEvent(body, signature, secret, toleranceSeconds, undefined, now)
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeSignatureVerificationError))
      throw new UnreadableEventError(error instanceof SyntaxError ? 'no JSON' : 'another kind of event')
    throw new InvalidSignatureError(signature === '' ? 'no signature' : reasonOf(error))
  }
}

function reasonOf({ message }: Error): string {
  if (message.includes('outside the tolerance')) return 'a signature that is too old'
  return message.includes('Unable to extract') ? 'a signature that is none' : 'a signature of something else'
}
