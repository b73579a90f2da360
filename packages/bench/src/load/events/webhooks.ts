/** Posts signed events from its own process. Each response is followed by the next event. */
import { randomUUID } from 'node:crypto'
import { Agent, request as send } from 'node:http'
import { serveRequests } from '../../programs/serve-requests.ts'
import { bodyOf, eventsOf, signatureOf } from './storm.ts'

export type StormOrder = {
  url: string
  secret: string
  customerIds: readonly string[]
  customersABurst: number
  /** The object of every event. */
  object: object
  atOnce: number
}

/** The duration of the storm and of each response, in milliseconds. */
export type Storm = { ms: number; responsesMs: number[] }

serveRequests<StormOrder>(async ({ url, secret, customerIds, customersABurst, object, atOnce }) => {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  const events = eventsOf(customerIds, customersABurst)
  const responsesMs: number[] = []
  const began = performance.now()
  const keepPosting = async () => {
    for (let event = events.shift(); event !== undefined; event = events.shift()) {
      const seconds = Math.floor(Date.now() / 1_000)
      const body = bodyOf(event, { id: `evt_${randomUUID()}`, object, seconds })
      const sentAt = performance.now()
      const status = await post(agent, url, body, signatureOf(body, secret, seconds))
      if (status !== 200) throw new Error(`An event responded with ${status}.`)
      responsesMs.push(performance.now() - sentAt)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, keepPosting))
  agent.destroy()
  return { ms: performance.now() - began, responsesMs } satisfies Storm
})

function post(agent: Agent, url: string, body: string, signature: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      'Stripe-Signature': signature,
    }
    const request = send(url, { agent, method: 'POST', headers }, (response) => {
      response.on('error', reject)
      response.on('end', () => resolve(response.statusCode ?? 0))
      response.resume()
    })
    request.on('error', reject)
    request.end(body)
  })
}
