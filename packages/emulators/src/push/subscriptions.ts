import { createECDH, createHash } from 'node:crypto'
import { z } from 'zod'
import type { SubscriptionKeys } from './decrypt-message.ts'

/** How the service replies to the messages of a subscription, until it is told otherwise. */
export const pushReply = z.strictObject({
  status: z
    .union([201, 400, 403, 404, 410, 413, 429, 500, 503].map((status) => z.literal(status)))
    .default(201),
  /** The header `Retry-After`, in seconds. */
  retryAfter: z.int().min(0).optional(),
  /** How many messages are replied to like this; then 201 again. */
  times: z.int().min(1).optional(),
  /** Whether a message that is replied to with an error arrives nevertheless. */
  accepts: z.boolean().default(false),
  slowMs: z.int().min(0).max(120_000).default(0),
})
export type PushReply = z.infer<typeof pushReply>

export type Subscription = SubscriptionKeys & {
  id: string
  /** The only sender that may use it; null for any. */
  applicationServerKey: string | null
  reply: PushReply
}

/** Keeps the subscriptions that the service handed out. */
export function createSubscriptions() {
  const subscriptions = new Map<string, Subscription>()
  return {
    create(applicationServerKey: string | null): Subscription {
      const keyPair = createECDH('prime256v1')
      keyPair.generateKeys()
      const id = hashOf(keyPair.getPublicKey()).toString('base64url')
      const auth = hashOf(keyPair.getPrivateKey()).subarray(0, 16)
      const reply = pushReply.parse({})
      const subscription = { id, keyPair, auth, applicationServerKey, reply }
      subscriptions.set(id, subscription)
      return subscription
    },
    find: (id: string): Subscription | null => subscriptions.get(id) ?? null,
    remove: (id: string): boolean => subscriptions.delete(id),
  }
}

/** Returns how the next message is replied to. */
export function takeReply(subscription: Subscription): PushReply {
  const { reply } = subscription
  if (reply.times !== undefined) {
    subscription.reply = reply.times > 1 ? { ...reply, times: reply.times - 1 } : pushReply.parse({})
  }
  return reply
}

/** Returns what a browser's `PushSubscription.toJSON()` returns. */
export function subscriptionJson({ id, keyPair, auth }: Subscription, origin: string) {
  return {
    endpoint: `${origin}/push/${id}`,
    expirationTime: null,
    keys: { p256dh: keyPair.getPublicKey().toString('base64url'), auth: auth.toString('base64url') },
  }
}

function hashOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
