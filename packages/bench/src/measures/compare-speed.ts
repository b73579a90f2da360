import type { BareReply } from '../bare/bare-fastify.ts'
import { rawGet } from '../calls/raw-request.ts'
import { processorSeconds } from '../probes/processor-time.ts'
import { microseconds, perSecond } from '../results/figures.ts'
import { type Pairs, summarize, takePairs } from '../results/pairs.ts'
import { pairPrinter, pairsRow } from '../results/rows.ts'
import type { Row } from '../results/table.ts'
import type { Bench } from '../sites/bench.ts'

/** A server under load, with the CPU time of its runs: microseconds per request. */
export type Side = {
  pid: number
  costs: number[]
  /** Loads it for some seconds and returns the requests per second. */
  load(seconds: number): Promise<number>
}

export type Sides = { ours: Side; other: Side }

type Reply = Omit<BareReply, 'route'>

// Added by the HTTP server itself.
const ownHeaders = new Set(['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding'])

/** Loads the API and the bare server alternately. */
export async function compareSpeed(
  { quick, progress }: Bench,
  label: string,
  { ours, other }: Sides,
): Promise<Pairs> {
  const run = async ({ pid, costs, load }: Side, seconds: number) => {
    const before = await processorSeconds(pid)
    const rate = await load(seconds)
    const after = await processorSeconds(pid)
    if (before !== null && after !== null) costs.push(((after - before) * 1e6) / (rate * seconds))
    return rate
  }
  return await progress.step(`Asking for ${label}`, async () => {
    for (const side of [ours, other]) {
      await run(side, quick ? 1 : 3)
      side.costs.length = 0
    }
    const seconds = quick ? 2 : 4
    return await takePairs(
      quick ? 3 : 9,
      { ours: () => run(ours, seconds), other: () => run(other, seconds) },
      pairPrinter(progress.say, perSecond),
    )
  })
}

/** Returns the row of the table. Without a minimum ratio it has no target. */
export function speedRow(measure: string, pairs: Pairs, min?: number): Row {
  return pairsRow(measure, pairs, { text: perSecond, other: 'bare Fastify', min })
}

/** Returns the CPU time per request, which other programs disturb less than the speed. */
export function costRows({ ours, other }: Sides): Row[] {
  const pairs = ours.costs.flatMap((cost, index) => {
    const bare = other.costs[index]
    return bare === undefined ? [] : [{ ours: cost, other: bare }]
  })
  if (pairs.length === 0) return []
  const options = { text: microseconds, other: 'bare Fastify' }
  return [pairsRow('its processor time for each request', summarize(pairs), options)]
}

/** Returns the response of an address, for the bare server to send. Rejects unless the status is 200. */
export async function readReply(url: string, headers: Record<string, string>): Promise<Reply> {
  const reply = await rawGet(url, headers)
  if (reply.status !== 200) throw new Error(`${url} responded with ${reply.status}: ${reply.body.toString()}`)
  const sent = Object.entries(reply.headers).filter(([name]) => !ownHeaders.has(name))
  return { headers: Object.fromEntries(sent), bodyBase64: reply.body.toString('base64') }
}

/** Throws unless both sides send the same response. */
export function requireSame(ours: Reply, bare: Reply): void {
  if (JSON.stringify(ours) !== JSON.stringify(bare)) {
    throw new Error('The bare server does not send the same as the API, so they cannot be compared.')
  }
}
