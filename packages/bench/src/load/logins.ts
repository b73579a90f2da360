/** Logs members in from its own process. Each response is followed by the next login. */
import { Agent, request as send } from 'node:http'
import { serveRequests } from '../programs/serve-requests.ts'
import { type Pace, steadyRate } from './steady-rate.ts'

export type LoginsOrder = Pace & {
  url: string
  headers: Record<string, string>
  emails: string[]
  password: string
}

// Each order continues after the last one, so that no member logs in twice in a row.
let turn = 0

serveRequests<LoginsOrder>(async ({ url, headers, emails, password, ...pace }) => {
  const agent = new Agent({ keepAlive: true, maxSockets: pace.atOnce })
  const first = turn
  const rate = await steadyRate(pace, async (index) => {
    turn = first + index + 1
    const email = emails[(first + index) % emails.length]
    const status = await post(agent, url, headers, JSON.stringify({ email, password }))
    if (status !== 200) throw new Error(`A login responded with ${status}.`)
  })
  agent.destroy()
  return rate
})

function post(agent: Agent, url: string, headers: Record<string, string>, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const described = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
    const request = send(
      url,
      { agent, method: 'POST', headers: { ...headers, ...described } },
      (response) => {
        response.on('error', reject)
        response.on('end', () => resolve(response.statusCode ?? 0))
        response.resume()
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}
