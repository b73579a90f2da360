import { Agent, request as send } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

export type PlannedRequest = { method: 'GET' | 'POST'; url: string; cookie: string; body?: object }

const timeoutMs = 30_000

/** Sends requests at a steady rate over kept connections; returns why each failed one did. A 5xx response counts. */
export async function sendMixedRequests(
  { count, perSecond }: { count: number; perSecond: number },
  plan: (index: number) => PlannedRequest,
): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 50 })
  const failures: string[] = []
  const sent: Promise<void>[] = []
  const began = performance.now()
  for (let index = 0; index < count; index += 1) {
    const waitMs = began + (index * 1_000) / perSecond - performance.now()
    if (waitMs > 1) await pause(waitMs)
    const planned = plan(index)
    sent.push(
      sendOne(agent, planned).then((failure) => {
        if (failure !== null) failures.push(`${planned.method} ${failure}`)
      }),
    )
  }
  await Promise.all(sent)
  agent.destroy()
  return failures
}

function sendOne(agent: Agent, { method, url, cookie, body }: PlannedRequest): Promise<string | null> {
  const bytes = body === undefined ? undefined : JSON.stringify(body)
  const headers = { Cookie: cookie, ...(bytes !== undefined && { 'Content-Type': 'application/json' }) }
  return new Promise((resolve) => {
    const request = send(url, { agent, method, headers, timeout: timeoutMs }, (response) => {
      const status = response.statusCode ?? 0
      response.on('error', (error) => resolve(error.message))
      response.on('end', () => resolve(status < 400 ? null : String(status)))
      response.resume()
    })
    request.on('timeout', () => request.destroy(new Error('timeout')))
    request.on('error', (error) => resolve(error.message))
    request.end(bytes)
  })
}
