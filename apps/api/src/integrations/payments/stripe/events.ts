import Stripe from 'stripe'
import { z } from 'zod'
import type { Clock } from '#platform/clock.ts'
import { InvalidSignatureError, UnreadableEventError } from '../gateway-errors.ts'
import type { PaymentEvent } from '../payment-gateway.ts'
import { instantOf } from './client/client.ts'

const toleranceSeconds = 300
const mismatch = 'signature mismatch'
/** The end of year 9999. */
const lastSecond = 253_402_300_799

/** Stripe's ids and types are ASCII; the lengths are those of our columns. */
const name = (maxLength: number) =>
  z
    .string()
    .regex(/^[\x21-\x7e]+$/)
    .max(maxLength)
const id = name(64)
const reference = z.union([id, z.object({ id }).transform((object) => object.id)]).nullish()

const eventSchema = z.object({
  id: name(255),
  type: name(100),
  created: z.int().min(0).max(lastSecond),
  livemode: z.boolean().nullish(),
  /** Set for an event of a connected account. */
  account: id.nullish(),
  data: z.object({
    object: z.object({
      object: z.string().optional(),
      id: id.nullish().catch(null),
      customer: reference.catch(null),
    }),
  }),
})

type Settings = {
  /** Those of all endpoints; one of them must have signed the body. */
  webhookSecrets: readonly string[]
  clock: Clock
}

/** Verifies and parses a webhook body. Throws {@link InvalidSignatureError} or {@link UnreadableEventError}. */
export function readStripeEvent(
  { webhookSecrets, clock }: Settings,
  body: Buffer,
  signature: string | undefined,
): PaymentEvent {
  const { id, type, created, livemode, account, data } = verified(
    body,
    signature ?? '',
    webhookSecrets,
    clock,
  )
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

function verified(body: Buffer, signature: string, secrets: readonly string[], clock: Clock) {
  const { data, error } = eventSchema.safeParse(signedByOne(body, signature, secrets, clock))
  if (data !== undefined) return data
  const reasons = error.issues.map(({ path, code }) => `${path.join('.')}: ${code}`)
  throw new UnreadableEventError(reasons.join(', '))
}

/** Parses a body that one of the secrets signed; otherwise throws why, rather an expired signature than a mismatch. */
function signedByOne(body: Buffer, signature: string, secrets: readonly string[], clock: Clock): unknown {
  let refused = new InvalidSignatureError(signature === '' ? 'no signature' : mismatch)
  for (const secret of secrets) {
    try {
      return signedEvent(body, signature, secret, clock)
    } catch (error) {
      if (!(error instanceof InvalidSignatureError)) throw error
      if (error.message !== mismatch) refused = error
    }
  }
  throw refused
}

// NOTE: the SDK's messages quote the whole body, so they are not repeated.
function signedEvent(body: Buffer, signature: string, secret: string, clock: Clock): unknown {
  try {
    const now = clock.now().getTime()
    return Stripe.webhooks.constructEvent(body, signature, secret, toleranceSeconds, undefined, now)
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeSignatureVerificationError))
      throw new UnreadableEventError(
        error instanceof SyntaxError ? 'invalid JSON' : 'unsupported kind of event',
      )
    throw new InvalidSignatureError(signature === '' ? 'no signature' : reasonOf(error))
  }
}

function reasonOf({ message }: Error): string {
  if (message.includes('outside the tolerance')) return 'signature expired'
  return message.includes('Unable to extract') ? 'malformed signature' : mismatch
}
