import { Agent, request } from 'undici'
import webpush from 'web-push'
import type { Clock } from '#platform/clock.ts'
import { refusedAddress } from '#platform/network/only-public.ts'
import type { ResolveName } from '#platform/network/resolve-name.ts'
import { createEndpointGuard } from './endpoint-guard.ts'
import {
  type PushMessage,
  type PushResult,
  type PushSender,
  type PushSubscription,
  pushConcurrency,
} from './push-sender.ts'

type Options = {
  vapid: { publicKey: string; privateKey: string; subject: string }
  /** The emulator of a push service. */
  serviceUrl: URL | null
  clock: Clock
  /** How names are resolved; by the DNS servers of this machine by default. */
  resolveName?: ResolveName
  /** How long a message may take. */
  timeoutMs?: number
}

const tokenMs = 12 * 3_600_000
/** A token is used for as long, so that few are signed. */
const tokenUsedMs = 3_600_000

/**
 * Sends notifications by Web Push (RFC 8030), encrypted for the browser (RFC 8291) and signed for its push service (RFC
 * 8292). Connections are made to public addresses only, and no redirect is followed.
 */
export function createWebPushSender({
  vapid,
  serviceUrl,
  clock,
  resolveName,
  timeoutMs = 20_000,
}: Options): PushSender {
  const guard = createEndpointGuard(serviceUrl, resolveName)
  const timeouts = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs }
  const guarded = new Agent({ ...timeouts, connect: { lookup: guard.lookUp, timeout: timeoutMs } })
  const direct = new Agent({ ...timeouts, connect: { timeout: timeoutMs } })
  const tokens = new Map<string, { value: string; untilMs: number }>()

  /** Returns the header that says who we are to a push service. */
  function authorizationFor(audience: string): string {
    const nowMs = clock.now().getTime()
    const known = tokens.get(audience)
    if (known !== undefined && known.untilMs > nowMs && known.untilMs <= nowMs + tokenUsedMs)
      return known.value
    const { subject, publicKey, privateKey } = vapid
    const expires = Math.floor((nowMs + tokenMs) / 1000)
    const { Authorization: value } = webpush.getVapidHeaders(
      audience,
      subject,
      publicKey,
      privateKey,
      'aes128gcm',
      expires,
    )
    // There are a handful of push services; more names than that are not worth keeping.
    if (tokens.size > 100) tokens.clear()
    tokens.set(audience, { value, untilMs: nowMs + tokenUsedMs })
    return value
  }

  return {
    concurrency: pushConcurrency,
    publicKey: vapid.publicKey,
    async accepts(subscription) {
      const probe = encrypt(subscription, { payload: '{}', topic: 'probe', ttlSeconds: 0 })
      return probe !== null && (await guard.accepts(subscription.endpoint))
    },
    async send(subscription, message) {
      const target = guard.read(subscription.endpoint)
      const encrypted = encrypt(subscription, message)
      if (target === null || encrypted === null) return refusedSubscription
      try {
        const reply = await request(target.url, {
          dispatcher: target.isEmulator ? direct : guarded,
          method: 'POST',
          headers: { ...encrypted.headers, Authorization: authorizationFor(target.url.origin) },
          body: encrypted.body,
          signal: AbortSignal.timeout(timeoutMs),
        })
        await reply.body.dump()
        return resultOf(reply.statusCode, retryAtOf(reply.headers['retry-after'], clock.now()))
      } catch (error) {
        return failureOf(error)
      }
    },
  }
}

/** Returns the headers and the body of a message; null if the keys of the browser are invalid. */
function encrypt(
  { endpoint, p256dh, auth }: PushSubscription,
  { payload, topic, ttlSeconds: TTL }: PushMessage,
) {
  try {
    const options = { TTL, topic, urgency: 'normal', contentEncoding: 'aes128gcm' } as const
    return webpush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, options)
  } catch {
    return null
  }
}

const refusedSubscription: PushResult = {
  outcome: 'permanent',
  code: refusedAddress,
  response: 'The address or the keys of the browser are not valid',
}

function resultOf(status: number, retryAt: Date | null): PushResult {
  const code = String(status)
  if (status >= 200 && status < 300) return { outcome: 'accepted' }
  if (status === 404 || status === 410) {
    return { outcome: 'gone', code, response: 'The browser has ended its subscription' }
  }
  if (status === 429 || status >= 500) {
    return { outcome: 'temporary', code, response: 'The push service refused for now', retryAt }
  }
  return { outcome: 'permanent', code, response: 'The push service refused the message' }
}

/** Returns when a push service wants the message again: after so many seconds, or at a date (RFC 9110, 10.2.3). */
function retryAtOf(header: string | string[] | undefined, now: Date): Date | null {
  const text = Array.isArray(header) ? header[0] : header
  if (text === undefined) return null
  if (/^\d{1,9}$/.test(text)) return new Date(now.getTime() + Number(text) * 1000)
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? null : new Date(ms)
}

/** Only the code is kept: the messages of errors name addresses. */
function failureOf(error: unknown): PushResult {
  const code = codeOf(error)
  if (code === refusedAddress) return refusedSubscription
  return { outcome: 'temporary', code, response: 'The push service did not reply', retryAt: null }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'EUNKNOWN'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
