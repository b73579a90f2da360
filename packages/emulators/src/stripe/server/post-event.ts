import { createHmac } from 'node:crypto'
import { toWireEvent } from '../resources/event/event.ts'
import type { EventRecord } from '../store/store.ts'

const timeoutMs = 20_000

type Target = { url: string; secret: string; time: number; signal: AbortSignal }

/** Posts a signed event. Returns null when the site accepted it, else the reason. */
export async function postEvent(
  event: EventRecord,
  { url, secret, time, signal }: Target,
): Promise<string | null> {
  const body = JSON.stringify(toWireEvent(event), null, 2)
  try {
    const reply = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        'stripe-signature': signatureOf(body, secret, time),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    await reply.body?.cancel()
    return reply.ok ? null : `status ${reply.status}`
  } catch (error) {
    return reasonOf(error)
  }
}

/** Returns the `Stripe-Signature` header of a body. */
function signatureOf(body: string, secret: string, time: number): string {
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  return `t=${time},v1=${signature}`
}

/** Returns why a request failed: the system's code, such as `ECONNREFUSED`, or the error's message. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
}
