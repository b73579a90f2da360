import { urlOf } from '@tidings/contracts/endpoint'
import { getMember } from '@tidings/contracts/membership/routes'
import type { BareReply } from '../bare/bare-fastify.ts'
import { logIn } from '../calls/membership.ts'
import { rawGet } from '../calls/raw-request.ts'
import { requestsPerSecondInTurn } from '../load/requests-per-second.ts'
import { startProgram } from '../programs/program.ts'
import { whole } from '../results/figures.ts'
import type { Row } from '../results/table.ts'
import type { Bench } from '../sites/bench.ts'
import { startMembersSite } from '../sites/members-site.ts'
import { compareSpeed, costRows, readReply, requireSame, type Side, speedRow } from './compare-speed.ts'

const connections = 50
const members = 100
const minRatio = 0.5
const path = urlOf(getMember)

/** Compares `GET /member`, with the tokens of a hundred members in rotation, with a bare Fastify that sends as many bytes. */
export async function measureMember(bench: Bench): Promise<Row[]> {
  return await bench.lifetime.within(async (lifetime) => {
    const { api, emails } = await startMembersSite(bench, lifetime, { name: 'member-api', size: 'few' })
    const loggedIn = await bench.progress.step(`Logging in ${members} members`, () =>
      Promise.all(emails.slice(0, members).map((email) => logIn(api.url, email))),
    )
    const headersInTurn = loggedIn.map(({ headers }) => headers)
    const [first] = headersInTurn
    if (first === undefined) throw new Error('No member is logged in.')
    const reply = await readReply(api.url + path, first)
    const bytes = Buffer.from(reply.bodyBase64, 'base64').byteLength
    for (const headers of headersInTurn) await requireMember(api.url + path, headers, bytes)

    const bare = startProgram(lifetime, new URL('../bare/bare-fastify.ts', import.meta.url))
    const bareUrl = await bare.request<string>({ ...reply, route: path } satisfies BareReply)
    requireSame(reply, await readReply(bareUrl + path, first))
    const side = (url: string, pid: number): Side => ({
      pid,
      costs: [],
      load: (seconds) => requestsPerSecondInTurn(url + path, { connections, seconds, headersInTurn }),
    })
    const sides = { ours: side(api.url, api.pid), other: side(bareUrl, bare.pid) }
    const label = `/member, ${whole(bytes)} B`
    const pairs = await compareSpeed(bench, label, sides)
    return [speedRow(`GET ${label}, ${connections} connections`, pairs, minRatio), ...costRows(sides)]
  })
}

async function requireMember(url: string, headers: Record<string, string>, bytes: number): Promise<void> {
  const { status, body } = await rawGet(url, headers)
  if (status !== 200 || body.byteLength !== bytes) {
    throw new Error(
      `${url} responded with ${status} with ${body.byteLength} bytes, but ${bytes} were expected.`,
    )
  }
}
