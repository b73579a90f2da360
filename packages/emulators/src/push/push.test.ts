import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import webpush from 'web-push'
import { z } from 'zod'
import { type Emulators, startEmulators } from '../emulators.ts'

const now = new Date('2026-11-20T18:00:00Z')
const subject = 'mailto:desk@example.com'
const sender = webpush.generateVAPIDKeys()
const other = webpush.generateVAPIDKeys()

const subscriptionSchema = z.object({
  endpoint: z.url(),
  keys: z.object({ p256dh: z.string(), auth: z.string() }),
})
type Subscription = z.infer<typeof subscriptionSchema>

let emulators: Emulators

beforeEach(async () => {
  emulators = await startEmulators({ host: '127.0.0.1', port: 0, smtpPort: 0, now: () => now })
})

afterEach(() => emulators.stop())

async function call(method: string, url: string, body?: object) {
  const reply = await fetch(url, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  return { status: reply.status, body: text === '' ? null : JSON.parse(text) }
}

async function subscribe(applicationServerKey = sender.publicKey): Promise<Subscription> {
  const { body } = await call('POST', `${emulators.pushUrl}/subscriptions`, { applicationServerKey })
  return subscriptionSchema.parse(body)
}

type TokenOptions = { audience?: string; hours?: number; keys?: typeof sender }

function authorization({ audience = '', hours = 12, keys = sender }: TokenOptions = {}): string {
  const expiration = now.getTime() / 1_000 + hours * 3_600
  const origin = audience || new URL(emulators.pushUrl).origin
  const { publicKey, privateKey } = keys
  return webpush.getVapidHeaders(origin, subject, publicKey, privateKey, 'aes128gcm', expiration)
    .Authorization
}

type PushOptions = { text?: string; headers?: Record<string, string> }

async function push(
  subscription: Subscription,
  { text = '{"title":"Éditions ✓"}', headers }: PushOptions = {},
) {
  const details = webpush.generateRequestDetails(subscription, text, {
    TTL: 60,
    urgency: 'low',
    topic: 'e-1',
  })
  const reply = await fetch(subscription.endpoint, {
    method: 'POST',
    headers: { ...details.headers, authorization: authorization(), ...headers },
    body: new Uint8Array(details.body),
  })
  return { status: reply.status, retryAfter: reply.headers.get('retry-after') }
}

async function messages(query = '') {
  return (await call('GET', `${emulators.pushUrl}/messages${query}`)).body
}

describe('the push service', () => {
  test('decrypts what web-push encrypts and lists it newest first, by endpoint', async () => {
    const [ann, bob] = [await subscribe(), await subscribe()]
    expect((await push(ann)).status).toBe(201)
    await push(bob)
    expect(await messages()).toMatchObject([{ endpoint: bob.endpoint }, { endpoint: ann.endpoint }])
    expect(await messages(`?endpoint=${encodeURIComponent(ann.endpoint)}`)).toMatchObject([
      {
        text: '{"title":"Éditions ✓"}',
        ttl: 60,
        urgency: 'low',
        topic: 'e-1',
        vapid: { sub: subject, publicKey: sender.publicKey },
      },
    ])
    await call('DELETE', `${emulators.pushUrl}/messages`)
    expect(await messages()).toEqual([])
  })

  test('refuses a sender without a valid token', async () => {
    const subscription = await subscribe()
    const statusWith = async (value: string) =>
      (await push(subscription, { headers: { authorization: value } })).status
    expect(await statusWith('')).toBe(401)
    expect(await statusWith(authorization({ keys: other }))).toBe(403)
    expect(await statusWith(authorization({ audience: 'https://push.example' }))).toBe(403)
    expect(await statusWith(authorization({ hours: -1 }))).toBe(403)
    expect(await statusWith(authorization({ hours: 25 }))).toBe(403)
    expect(await statusWith(authorization().replace(/\.[\w-]*, k=/, '.AAAA, k='))).toBe(403)
    expect(await messages()).toEqual([])
    expect(await statusWith(authorization())).toBe(201)
  })

  test('refuses a message for another key, a long one and invalid headers', async () => {
    const [subscription, another] = [await subscribe(), await subscribe()]
    expect((await push({ ...subscription, keys: another.keys })).status).toBe(400)
    expect((await push(subscription, { headers: { TTL: 'soon' } })).status).toBe(400)
    expect((await push(subscription, { headers: { Topic: 'a b' } })).status).toBe(400)
    expect((await push(subscription, { text: 'x'.repeat(4_100) })).status).toBe(413)
  })

  test('replies as configured, and keeps a message only if asked', async () => {
    const subscription = await subscribe()
    const replyWith = (body: object) => call('PUT', `${subscription.endpoint}/reply`, body)
    await replyWith({ status: 429, retryAfter: 7, times: 1 })
    expect(await push(subscription)).toEqual({ status: 429, retryAfter: '7' })
    expect(await messages()).toEqual([])
    expect((await push(subscription)).status).toBe(201)
    await replyWith({ status: 500, accepts: true })
    expect((await push(subscription)).status).toBe(500)
    expect(await messages()).toHaveLength(2)
    expect((await replyWith({ status: 200 })).status).toBe(400)
  })

  test('a subscription that was removed is unknown', async () => {
    const subscription = await subscribe()
    await call('DELETE', subscription.endpoint)
    expect((await push(subscription)).status).toBe(404)
  })
})
