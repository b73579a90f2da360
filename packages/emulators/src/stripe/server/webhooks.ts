import { createHmac } from 'node:crypto'
import { toWireEvent } from '../resources/event/event.ts'
import type { AccountStore } from '../store/create-store.ts'
import type { EventRecord } from '../store/store.ts'

/** `off` drops events, `hold` keeps them until `on`. */
type WebhookMode = 'on' | 'off' | 'hold'

/** Faults of deliveries, each with a probability from 0 to 1. The seed makes them repeatable. */
type WebhookChaos = { loss: number; duplication: number; reordering: number; seed: number }

export type WebhookState = {
  mode: WebhookMode
  /** Deliveries that the site has not accepted yet. */
  pending: number
  /** Deliveries since the start, without retries. */
  total: number
}

export type Webhooks = {
  state(): WebhookState
  setMode(mode: WebhookMode): void
  setChaos(chaos: WebhookChaos): void
  /** Delivers an event again. Throws `resource_missing`. */
  resend(eventId: string): void
  stop(): Promise<void>
}

type Options = {
  store: AccountStore
  /** Where events are sent, and the secret that signs them. Undefined sends nothing. */
  target: { url: string; secret: string } | undefined
  /** The delay before each retry. The last one repeats. */
  retryDelaysMs?: readonly number[]
}

type Delivery = { eventId: string; attempts: number }

const concurrency = 8
const defaultDelaysMs = [1_000, 5_000, 30_000, 120_000, 600_000]
const timeoutMs = 20_000
const noChaos: WebhookChaos = { loss: 0, duplication: 0, reordering: 0, seed: 1 }
const maxReorderingMs = 300

/** Delivers events to the site's webhook endpoint until it accepts them, across restarts. */
export function createWebhooks({ store, target, retryDelaysMs = defaultDelaysMs }: Options): Webhooks {
  /** A set, because removing the first entry of a long array is slow. */
  const queue = new Set<Delivery>()
  const timers = new Map<NodeJS.Timeout, Delivery>()
  const inFlight = new Set<Promise<void>>()
  const stopping = new AbortController()
  let mode: WebhookMode = 'on'
  let total = 0
  let chaos = noChaos
  let random = seededRandom(chaos.seed)

  function enqueue(delivery: Delivery) {
    queue.add(delivery)
    work()
  }

  function enqueueLater(delivery: Delivery, delayMs: number) {
    const timer = setTimeout(() => {
      timers.delete(timer)
      enqueue(delivery)
    }, delayMs)
    timers.set(timer.unref(), delivery)
  }

  function work() {
    while (mode === 'on' && !stopping.signal.aborted && inFlight.size < concurrency) {
      const [delivery] = queue
      if (!delivery) return
      queue.delete(delivery)
      const attempt = deliver(delivery).finally(() => {
        inFlight.delete(attempt)
        work()
      })
      inFlight.add(attempt)
    }
  }

  async function deliver({ eventId, attempts }: Delivery) {
    const event = store.of('event').find(eventId)
    if (!event) return
    const lastFailure = await post(event)
    if (lastFailure === null) {
      store.of('event').put({ ...event, delivery: { state: 'delivered' } })
      return
    }
    if (stopping.signal.aborted) return
    const delayMs = retryDelaysMs[attempts] ?? retryDelaysMs.at(-1) ?? 0
    const next = { eventId, attempts: attempts + 1 }
    const nextAttemptAt = store.now() + Math.ceil(delayMs / 1000)
    store.of('event').put({
      ...event,
      delivery: { state: 'pending', attempts: next.attempts, nextAttemptAt, lastFailure },
    })
    enqueueLater(next, delayMs)
  }

  /** Returns null when the site accepted the event, else the reason. */
  async function post(event: EventRecord): Promise<string | null> {
    if (!target) return 'no webhook URL'
    const body = JSON.stringify(toWireEvent(event), null, 2)
    try {
      const reply = await fetch(target.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
          'stripe-signature': signatureOf(body, target.secret, store.wallTime()),
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(timeoutMs)]),
      })
      await reply.body?.cancel()
      return reply.ok ? null : `status ${reply.status}`
    } catch (error) {
      return reasonOf(error)
    }
  }

  store.onEvent((event) => {
    if (mode === 'off' || !target || random() < chaos.loss) return
    store.of('event').put({
      ...event,
      delivery: { state: 'pending', attempts: 0, nextAttemptAt: store.now(), lastFailure: null },
    })
    const delivery = { eventId: event.id, attempts: 0 }
    const copies = random() < chaos.duplication ? [delivery, { ...delivery }] : [delivery]
    total += copies.length
    for (const copy of copies) {
      if (random() < chaos.reordering) enqueueLater(copy, random() * maxReorderingMs)
      else enqueue(copy)
    }
  })

  for (const { id, delivery } of store.of('event').list().reverse()) {
    if (delivery?.state !== 'pending') continue
    const delayMs = Math.max(0, delivery.nextAttemptAt - store.now()) * 1000
    enqueueLater({ eventId: id, attempts: delivery.attempts }, delayMs)
  }

  return {
    state: () => ({ mode, pending: queue.size + timers.size + inFlight.size, total }),
    setMode(wanted) {
      mode = wanted
      work()
    },
    setChaos(wanted) {
      chaos = wanted
      random = seededRandom(chaos.seed)
    },
    resend(eventId) {
      const { id } = store.of('event').get(eventId)
      total += 1
      enqueue({ eventId: id, attempts: 0 })
    },
    async stop() {
      stopping.abort()
      for (const timer of timers.keys()) clearTimeout(timer)
      await Promise.allSettled(inFlight)
    },
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

/** Returns a random number generator (mulberry32) that repeats for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
