/** Logs members in at fixed moments or one after the other, each from its own network, and times the responses, from its own process. */
import { Agent, request as send } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { serveRequests } from '../programs/serve-requests.ts'

export type TimedLoginsOrder = {
  url: string
  headers: Record<string, string>
  /** One login each; the site trusts its proxy's word for the network. */
  logins: readonly { network: string; email: string }[]
  password: string
  /** From one login to the next; 0 sends all at once, null each after the response to the last one. */
  gapMs: number | null
}

export type TimedLogin = { status: number; ms: number }

serveRequests<TimedLoginsOrder>(async ({ url, headers, logins, password, gapMs }) => {
  const agent = new Agent({ keepAlive: true })
  const began = performance.now()
  const replies: Promise<TimedLogin>[] = []
  for (const [index, { network, email }] of logins.entries()) {
    if (gapMs === null) await replies.at(-1)
    const due = began + index * (gapMs ?? 0)
    if (due > performance.now()) await pause(due - performance.now())
    const described = { ...headers, 'Content-Type': 'application/json', 'X-Forwarded-For': network }
    const reply = post(agent, url, described, JSON.stringify({ email, password }))
    // A failure before the others are awaited is reported with them.
    reply.catch(() => {})
    replies.push(reply)
  }
  const all = await Promise.all(replies)
  agent.destroy()
  return all
})

function post(agent: Agent, url: string, headers: Record<string, string>, body: string): Promise<TimedLogin> {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const request = send(url, { agent, method: 'POST', headers }, (response) => {
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, ms: performance.now() - began }))
      response.resume()
    })
    request.on('error', reject)
    request.end(body)
  })
}
