import fastify from 'fastify'
import Stripe from 'stripe'

type ReceivedEvent = Stripe.Event

type Receiver = {
  url: string
  /** The received events in order, duplicates included. */
  events: ReceivedEvent[]
  /** Rejects the next deliveries with a status. */
  refuse(times: number, status?: number): void
  refused(): number
  /** Resolves with the first event that matches, received now or later. */
  waitFor(isIt: (event: ReceivedEvent) => boolean): Promise<ReceivedEvent>
  /** Resolves when the received events match. */
  waitUntil(holds: (events: readonly ReceivedEvent[]) => boolean): Promise<void>
  stop(): Promise<void>
}

type Options = { secret: string; now: () => Date }

/** Starts a site that accepts webhooks with a valid signature over the raw body. */
export async function startWebhookReceiver({ secret, now }: Options): Promise<Receiver> {
  const app = fastify({ forceCloseConnections: true })
  const events: ReceivedEvent[] = []
  const waiting = new Set<() => void>()
  let refusals = { times: 0, status: 500 }
  let refused = 0
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.post('/webhooks/stripe', (request, reply) => {
    if (refusals.times > 0) {
      refusals = { ...refusals, times: refusals.times - 1 }
      refused += 1
      return reply.code(refusals.status).send()
    }
    const header = String(request.headers['stripe-signature'])
    events.push(
      Stripe.webhooks.constructEvent(String(request.body), header, secret, 300, undefined, now().getTime()),
    )
    for (const look of waiting) look()
    return reply.code(200).send()
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })

  function waitUntil(holds: (taken: readonly ReceivedEvent[]) => boolean): Promise<void> {
    return new Promise((resolve) => {
      function look() {
        if (!holds(events)) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
    })
  }

  return {
    url: `${origin}/webhooks/stripe`,
    events,
    refuse(times, status = 500) {
      refusals = { times, status }
    },
    refused: () => refused,
    async waitFor(isIt) {
      await waitUntil((taken) => taken.some(isIt))
      const [event] = events.filter(isIt)
      if (!event) throw new Error('An event that had come is gone.')
      return event
    },
    waitUntil,
    stop: () => app.close(),
  }
}
