/** Many people who log in, in a process of their own: as soon as one is in, the next one comes. */
import { Agent, request as send } from 'node:http'
import { answerQuestions } from '../programs/answer-questions.ts'
import { type Pace, steadyRate } from './steady-rate.ts'

export type LoginsOrder = Pace & {
  url: string
  headers: Record<string, string>
  emails: string[]
  password: string
}

// Each order goes on where the last one ended, so that nobody logs in twice in a row.
let turn = 0

answerQuestions<LoginsOrder>(async ({ url, headers, emails, password, ...pace }) => {
  const agent = new Agent({ keepAlive: true, maxSockets: pace.atOnce })
  const first = turn
  const rate = await steadyRate(pace, async (index) => {
    turn = first + index + 1
    const email = emails[(first + index) % emails.length]
    const status = await post(agent, url, headers, JSON.stringify({ email, password }))
    if (status !== 200) throw new Error(`A login was answered ${status}.`)
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
