import { type PushMessage, pushMessage } from '@tidings/contracts/membership/push'
import { startEmulators } from '@tidings/emulators/emulators'
import type { PushReply } from '@tidings/emulators/push/subscriptions'
import webpush from 'web-push'
import { z } from 'zod'
import { addPushDevice } from '../factories/recipients.ts'
import type { TestApp } from '../test-app.ts'

const subscriptionSchema = z.object({
  endpoint: z.url(),
  keys: z.object({ p256dh: z.string(), auth: z.string() }),
})
export type Subscription = z.infer<typeof subscriptionSchema>

const receivedSchema = z.object({
  text: z.string().transform((text): PushMessage => pushMessage.strict().parse(JSON.parse(text))),
  ttl: z.number(),
  urgency: z.string(),
  topic: z.string().nullable(),
  vapid: z.object({ sub: z.string().optional() }),
})
type Received = z.infer<typeof receivedSchema>

const during = () => new Date('2026-11-20T17:00:00.000Z')

/** Starts the emulator of a push service. */
export async function startPushService({ now = during }: { now?: () => Date } = {}) {
  const emulators = await startEmulators({ host: '127.0.0.1', port: 0, smtpPort: 0, now })
  const { publicKey, privateKey } = webpush.generateVAPIDKeys()

  async function call(method: string, url: string, body?: object): Promise<unknown> {
    const reply = await fetch(url, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(text)
    return text === '' ? null : JSON.parse(text)
  }

  /** Returns the subscription of a new browser. */
  async function subscribe(): Promise<Subscription> {
    const url = `${emulators.pushUrl}/subscriptions`
    return subscriptionSchema.parse(await call('POST', url, { applicationServerKey: publicKey }))
  }

  return {
    publicKey,
    /** The settings of a site that notifies browsers here. */
    env: {
      VAPID_PUBLIC_KEY: publicKey,
      VAPID_PRIVATE_KEY: privateKey,
      PUSH_SERVICE_URL: new URL(emulators.pushUrl).origin,
    },
    subscribe,
    /** Stores a new browser of a member. */
    async addBrowser(site: TestApp, memberId: string): Promise<Subscription> {
      const subscription = await subscribe()
      await addPushDevice(site, memberId, subscription)
      return subscription
    },
    /** Returns what a browser received, newest first. */
    async received({ endpoint }: Pick<Subscription, 'endpoint'>): Promise<Received[]> {
      const url = `${emulators.pushUrl}/messages?endpoint=${encodeURIComponent(endpoint)}`
      return z.array(receivedSchema).parse(await call('GET', url))
    },
    /** Has the service reply to a browser's messages like this until the next call. */
    async replyWith({ endpoint }: Pick<Subscription, 'endpoint'>, reply: Partial<PushReply>): Promise<void> {
      await call('PUT', `${endpoint}/reply`, reply)
    },
    stop: () => emulators.stop(),
  }
}
