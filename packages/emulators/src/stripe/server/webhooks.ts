import type { AccountStore } from '../store/create-store.ts'
import { postEvent } from './post-event.ts'
import { createWebhookChaos, type WebhookChaos } from './webhook-chaos.ts'

/** `off` drops events, `hold` keeps them until `on`. */
type WebhookMode = 'on' | 'off' | 'hold'

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

/** Delivers events to the site's webhook endpoint until it accepts them, across restarts. */
export function createWebhooks({ store, target, retryDelaysMs = defaultDelaysMs }: Options): Webhooks {
  /** A set, because removing the first entry of a long array is slow. */
  const queue = new Set<Delivery>()
  const timers = new Map<NodeJS.Timeout, Delivery>()
  const inFlight = new Set<Promise<void>>()
  const stopping = new AbortController()
  let mode: WebhookMode = 'on'
  let total = 0
  const chaos = createWebhookChaos()

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
    const lastFailure = target
      ? await postEvent(event, { ...target, time: store.wallTime(), signal: stopping.signal })
      : 'no webhook URL'
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

  store.onEvent((event) => {
    if (mode === 'off' || !target || chaos.loses()) return
    store.of('event').put({
      ...event,
      delivery: { state: 'pending', attempts: 0, nextAttemptAt: store.now(), lastFailure: null },
    })
    const delivery = { eventId: event.id, attempts: 0 }
    const copies = chaos.duplicates() ? [delivery, { ...delivery }] : [delivery]
    total += copies.length
    for (const copy of copies) {
      const delayMs = chaos.reorderingMs()
      if (delayMs === null) enqueue(copy)
      else enqueueLater(copy, delayMs)
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
    setChaos: chaos.set,
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
