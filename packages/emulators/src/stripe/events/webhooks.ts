import { createHmac } from 'node:crypto'
import type { EventRecord, WebhookEndpointRecord } from '../records/event.ts'
import { toWireEvent } from '../wire/event.ts'
import type { KeptWorld } from '../world/create-world.ts'
import { chanceFrom } from './chance.ts'

/** `off` loses what happens, `hold` keeps it until `on`. */
export type WebhookMode = 'on' | 'off' | 'hold'

/** What can happen to a delivery on its way, each with a probability from 0 to 1, repeatable by the seed. */
export type WebhookChaos = { loss: number; duplication: number; reordering: number; seed: number }

export type WebhookState = {
  mode: WebhookMode
  chaos: WebhookChaos
  /** Deliveries that nobody has taken yet. */
  pending: number
}

export type Webhooks = {
  state(): WebhookState
  setMode(mode: WebhookMode): void
  setChaos(chaos: WebhookChaos): void
  /** Delivers an event once more, to every endpoint that is enabled. Throws `resource_missing`. */
  resend(eventId: string): void
  /** Tries at once whatever waits for its next try. */
  retryNow(): void
  stop(): Promise<void>
}

type Options = {
  world: KeptWorld
  /** The pauses before each further try; the last one holds from then on. */
  retryDelaysMs?: readonly number[]
  /** How many deliveries are under way at once. */
  concurrency?: number
}

type Delivery = { eventId: string; endpointId: string; tries: number }

const defaultDelaysMs = [1_000, 5_000, 30_000, 120_000, 600_000]
const givesUpAfterMs = 3 * 86_400_000
const answerWithinMs = 20_000
const calm: WebhookChaos = { loss: 0, duplication: 0, reordering: 0, seed: 1 }
const longestReorderingMs = 300

/** Sends events to the webhook endpoints, again and again until they are taken, over restarts too. */
export function createWebhooks({
  world,
  retryDelaysMs = defaultDelaysMs,
  concurrency = 8,
}: Options): Webhooks {
  /** First come, first served; a set, because taking the first of a long list is slow. */
  const queue = new Set<Delivery>()
  const timers = new Map<NodeJS.Timeout, Delivery>()
  const underWay = new Set<Promise<void>>()
  const stopping = new AbortController()
  let mode: WebhookMode = 'on'
  let chaos = calm
  let chance = chanceFrom(chaos.seed)

  function queueUp(delivery: Delivery) {
    queue.add(delivery)
    work()
  }

  function queueLater(delivery: Delivery, delayMs: number) {
    const timer = setTimeout(() => {
      timers.delete(timer)
      queueUp(delivery)
    }, delayMs)
    timers.set(timer.unref(), delivery)
  }

  function work() {
    while (mode === 'on' && !stopping.signal.aborted && underWay.size < concurrency) {
      const [delivery] = queue
      if (!delivery) return
      queue.delete(delivery)
      const attempt = deliver(delivery).finally(() => {
        underWay.delete(attempt)
        work()
      })
      underWay.add(attempt)
    }
  }

  async function deliver({ eventId, endpointId, tries }: Delivery) {
    const event = world.of('event').find(eventId)
    const endpoint = world.of('webhookEndpoint').find(endpointId)
    if (!event || !endpoint) return giveUp(eventId, endpointId)
    const failure = await post(endpoint, event)
    if (failure === null) return settle(eventId, endpointId)
    if (stopping.signal.aborted) return
    const delayMs = delayAfter(tries)
    if (givenUpAfter(tries)) return giveUp(eventId, endpointId)
    const nextTryAt = world.now() + Math.ceil(delayMs / 1000)
    keepPending(eventId, { endpointId, tries: tries + 1, nextTryAt, lastFailure: failure })
    queueLater({ eventId, endpointId, tries: tries + 1 }, delayMs)
  }

  function delayAfter(tries: number) {
    return retryDelaysMs[tries] ?? retryDelaysMs.at(-1) ?? 0
  }

  /** Whether the pauses up to this try make three days. */
  function givenUpAfter(tries: number) {
    const longest = retryDelaysMs.at(-1) ?? 0
    const listed = retryDelaysMs.slice(0, tries).reduce((sum, delayMs) => sum + delayMs, 0)
    return listed + Math.max(0, tries - retryDelaysMs.length) * longest > givesUpAfterMs
  }

  function settle(eventId: string, endpointId: string) {
    const event = world.of('event').find(eventId)
    if (!event) return
    const takenBy = [...event.takenBy.filter((id) => id !== endpointId), endpointId]
    world.of('event').put({ ...event, pending: othersThan(endpointId, event), takenBy })
  }

  function giveUp(eventId: string, endpointId: string) {
    const event = world.of('event').find(eventId)
    if (event) world.of('event').put({ ...event, pending: othersThan(endpointId, event) })
  }

  function keepPending(eventId: string, waiting: EventRecord['pending'][number]) {
    // While this was under way, another endpoint may have taken the event.
    const event = world.of('event').get(eventId)
    const pending = [...othersThan(waiting.endpointId, event), waiting]
    world.of('event').put({ ...event, pending })
  }

  /** Null when the endpoint took the event, else why it did not. */
  async function post({ url, secret }: WebhookEndpointRecord, event: EventRecord): Promise<string | null> {
    const body = JSON.stringify(toWireEvent(event), null, 2)
    try {
      const reply = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
          'stripe-signature': signatureOf(body, secret, world.wallTime()),
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(answerWithinMs)]),
      })
      await reply.body?.cancel()
      return reply.ok ? null : `status ${reply.status}`
    } catch (error) {
      return reasonOf(error)
    }
  }

  function endpointsFor(type: string): WebhookEndpointRecord[] {
    return world
      .of('webhookEndpoint')
      .list(({ status, enabledEvents }) => status === 'enabled' && isAskedFor(type, enabledEvents))
  }

  world.onEvent((event) => {
    if (mode === 'off') return
    const endpoints = endpointsFor(event.type).filter(() => chance() >= chaos.loss)
    const pending = endpoints.map(({ id }) => ({
      endpointId: id,
      tries: 0,
      nextTryAt: world.now(),
      lastFailure: null,
    }))
    world.of('event').put({ ...event, pending })
    for (const { endpointId } of pending) {
      const delivery = { eventId: event.id, endpointId, tries: 0 }
      const copies = chance() < chaos.duplication ? [delivery, { ...delivery }] : [delivery]
      for (const copy of copies) {
        if (chance() < chaos.reordering) queueLater(copy, chance() * longestReorderingMs)
        else queueUp(copy)
      }
    }
  })

  for (const event of world
    .of('event')
    .list(({ pending }) => pending.length > 0)
    .reverse()) {
    for (const { endpointId, tries, nextTryAt } of event.pending) {
      const delayMs = Math.max(0, nextTryAt - world.now()) * 1000
      queueLater({ eventId: event.id, endpointId, tries }, delayMs)
    }
  }

  function retryNow() {
    const waiting = Array.from(timers)
    timers.clear()
    for (const [timer] of waiting) clearTimeout(timer)
    for (const [, delivery] of waiting) queueUp(delivery)
  }

  return {
    state: () => ({ mode, chaos, pending: queue.size + timers.size + underWay.size }),
    setMode(wanted) {
      mode = wanted
      work()
    },
    setChaos(wanted) {
      chaos = wanted
      chance = chanceFrom(chaos.seed)
    },
    resend(eventId) {
      const event = world.of('event').get(eventId)
      for (const { id } of endpointsFor(event.type)) queueUp({ eventId, endpointId: id, tries: 0 })
    },
    retryNow,
    async stop() {
      stopping.abort()
      for (const timer of timers.keys()) clearTimeout(timer)
      await Promise.allSettled(underWay)
    },
  }
}

function othersThan(endpoint: string, { pending }: EventRecord): EventRecord['pending'] {
  return pending.filter(({ endpointId }) => endpointId !== endpoint)
}

/** The header `Stripe-Signature` of a body sent at a time in seconds. */
function signatureOf(body: string, secret: string, time: number): string {
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  return `t=${time},v1=${signature}`
}

function isAskedFor(type: string, enabledEvents: readonly string[]) {
  return enabledEvents.includes('*') || enabledEvents.includes(type)
}

/** Why nobody answered: the system's code, such as `ECONNREFUSED`, or what the error says. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
}
