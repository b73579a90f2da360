import type { BareReply } from '../bare/bare-fastify.ts'
import type { Bench } from '../bench.ts'
import { busiestEdition } from '../data/edition-keys.ts'
import { kilobytes, microseconds, perSecond, ratioText, spreadText } from '../figures.ts'
import { type Pairs, ratioOf, summarize, takePairs } from '../pairs.ts'
import { startApi } from '../processes/api.ts'
import { requestsPerSecond } from '../processes/load.ts'
import { processorSeconds } from '../processes/processor-time.ts'
import { startProgram } from '../processes/program.ts'
import { rawGet } from '../processes/raw-get.ts'
import type { Row } from '../table.ts'

const connections = 50
const leastRatio = 0.85
// What the HTTP server adds by itself.
const ownHeaders = new Set(['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding'])

type Reply = Omit<BareReply, 'route'>

/** A server under load, with what its runs have cost it: microseconds of processor time for each request. */
type Side = { url: string; pid: number; costs: number[] }

/**
 * An edition of eight memos against a bare Fastify that sends the same bytes with the same headers: plain, which has the
 * target, and as browsers ask for it, compressed.
 */
export async function measureEdition(bench: Bench): Promise<Row[]> {
  const databases = await bench.databases()
  const databaseUrl = await databases.week()
  return await bench.lifetime.within(async (lifetime) => {
    const api = await startApi(lifetime, { name: 'edition-api', databaseUrl, dataDir: databases.dataDir })
    const path = `/edition/prod/${await busiestEdition(databaseUrl)}`
    const rows: Row[] = []
    for (const encoding of ['identity', 'br']) {
      const headers = { Cookie: api.cookie, 'Accept-Encoding': encoding }
      const reply = await readReply(api.url + path, headers)
      const bare = startProgram(lifetime, new URL('../bare/bare-fastify.ts', import.meta.url))
      const bareUrl = await bare.ask<string>({ ...reply, route: '/edition/prod/:key' } satisfies BareReply)
      requireSame(reply, await readReply(bareUrl + path, headers))
      const ours: Side = { url: api.url + path, pid: api.pid, costs: [] }
      const other: Side = { url: bareUrl + path, pid: bare.pid, costs: [] }
      const size = kilobytes(Buffer.from(reply.bodyBase64, 'base64').byteLength)
      const label = `an edition, ${size} ${encoding === 'identity' ? 'plain' : `as ${encoding}`}`
      const pairs = await compareSpeed(bench, label, headers, { ours, other })
      rows.push(speedRow(label, pairs, encoding === 'identity'), ...costRows({ ours, other }))
    }
    return rows
  })
}

async function compareSpeed(
  { quick, progress }: Bench,
  label: string,
  headers: Record<string, string>,
  { ours, other }: { ours: Side; other: Side },
): Promise<Pairs> {
  const run = async ({ url, pid, costs }: Side, seconds: number) => {
    const before = await processorSeconds(pid)
    const rate = await requestsPerSecond(url, { connections, seconds, headers })
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
      (pair, taken) =>
        progress.say(
          `  pair ${taken}: ${perSecond(pair.ours)}, bare ${perSecond(pair.other)}: ${ratioText(ratioOf(pair))}`,
        ),
    )
  })
}

function speedRow(label: string, pairs: Pairs, hasTarget: boolean): Row {
  return {
    measure: `GET ${label}, ${connections} connections`,
    figure: perSecond(pairs.ours),
    alternative: `${perSecond(pairs.other)} bare Fastify`,
    ratio: spreadText(pairs.ratio, pairs.spread),
    target: hasTarget ? `≥ ${leastRatio}` : '',
    passed: hasTarget ? pairs.ratio >= leastRatio : null,
  }
}

/** The server's own work, which other programs on the machine disturb less than its speed. */
function costRows({ ours, other }: { ours: Side; other: Side }): Row[] {
  const pairs = ours.costs.flatMap((cost, index) => {
    const bare = other.costs[index]
    return bare === undefined ? [] : [{ ours: cost, other: bare }]
  })
  if (pairs.length === 0) return []
  const result = summarize(pairs)
  return [
    {
      measure: 'its processor time for each request',
      figure: microseconds(result.ours),
      alternative: `${microseconds(result.other)} bare Fastify`,
      ratio: spreadText(result.ratio, result.spread),
      target: '',
      passed: null,
    },
  ]
}

async function readReply(url: string, headers: Record<string, string>): Promise<Reply> {
  const reply = await rawGet(url, headers)
  if (reply.status !== 200) throw new Error(`${url} answered ${reply.status}: ${reply.body.toString()}`)
  const sent = Object.entries(reply.headers).filter(([name]) => !ownHeaders.has(name))
  return { headers: Object.fromEntries(sent), bodyBase64: reply.body.toString('base64') }
}

function requireSame(ours: Reply, bare: Reply) {
  if (JSON.stringify(ours) !== JSON.stringify(bare)) {
    throw new Error('The bare server does not send the same as the API, so they cannot be compared.')
  }
}
