/** Readers who come at their own pace, however long the answers take, in a process of their own. */
import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { answerQuestions } from '../programs/answer-questions.ts'

export type PacedReadsOrder = {
  url: string
  /** One set after the other. */
  headersInTurn: readonly Record<string, string>[]
  perSecond: number
  seconds: number
}

/** How long each answer took until its last byte, in milliseconds. */
export type PacedReads = { ms: number[] }

// For connections, and for code that gets faster with use.
const leadSeconds = 0.5

answerQuestions<PacedReadsOrder>(async ({ url, headersInTurn, perSecond, seconds }) => {
  const agent = new Agent({ keepAlive: true })
  const count = (leadSeconds + seconds) * perSecond
  const began = performance.now()
  const reads: Promise<number>[] = []
  while (reads.length < count) {
    const due = began + (reads.length * 1_000) / perSecond
    await pause(Math.max(0, due - performance.now()))
    const reading = read(agent, url, headersInTurn[reads.length % headersInTurn.length] ?? {})
    // One that fails before the others are awaited is told with them.
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
        else reject(new Error(`${url} answered ${response.statusCode}.`))
      })
      response.resume()
    })
    request.on('error', reject)
  })
}
