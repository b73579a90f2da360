/** Sends reads at a fixed rate, whatever the response times, from its own process. */
import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { serveRequests } from '../programs/serve-requests.ts'

export type PacedReadsOrder = {
  url: string
  /** Used in rotation. */
  headersInTurn: readonly Record<string, string>[]
  perSecond: number
  seconds: number
}

/** The time of each response until its last byte, in milliseconds. */
export type PacedReads = { ms: number[] }

// Warms up connections and code.
const leadSeconds = 0.5

serveRequests<PacedReadsOrder>(async ({ url, headersInTurn, perSecond, seconds }) => {
  const agent = new Agent({ keepAlive: true })
  const count = (leadSeconds + seconds) * perSecond
  const began = performance.now()
  const reads: Promise<number>[] = []
  while (reads.length < count) {
    const due = began + (reads.length * 1_000) / perSecond
    await pause(Math.max(0, due - performance.now()))
    const reading = read(agent, url, headersInTurn[reads.length % headersInTurn.length] ?? {})
    // A failure before the others are awaited is reported with them.
    reading.catch(() => {})
    reads.push(reading)
  }
  const ms = await Promise.all(reads)
  agent.destroy()
  return { ms: ms.slice(leadSeconds * perSecond) } satisfies PacedReads
})

function read(agent: Agent, url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const request = get(url, { agent, headers }, (response) => {
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - began)
        else reject(new Error(`${url} responded with ${response.statusCode}.`))
      })
      response.resume()
    })
    request.on('error', reject)
  })
}
