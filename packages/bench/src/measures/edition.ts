import type { BareReply } from '../bare/bare-fastify.ts'
import type { Bench } from '../bench.ts'
import { busiestEdition } from '../data/edition-keys.ts'
import { kilobytes, perSecond, ratioText, spreadText } from '../figures.ts'
import { takePairs } from '../pairs.ts'
import { startApi } from '../processes/api.ts'
import { requestsPerSecond } from '../processes/load.ts'
import { startProgram } from '../processes/program.ts'
import { rawGet } from '../processes/raw-get.ts'
import type { Row } from '../table.ts'

const connections = 50
const leastRatio = 0.85
// What the HTTP server adds by itself.
const ownHeaders = new Set(['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding'])

/**
 * An edition of eight memos against a bare Fastify that sends the same bytes with the same headers: plain, which has the
 * target, and as browsers ask for it, compressed.
 */
export async function measureEdition(bench: Bench): Promise<Row[]> {
  const databases = await bench.databases()
  const databaseUrl = await databases.week()
  return await bench.lifetime.within(async (lifetime) => {
    const api = await startApi(lifetime, { name: 'edition-api', databaseUrl, dataDir: databases.dataDir })
    const key = await busiestEdition(databaseUrl)
    const path = `/edition/prod/${key}`
    const rows: Row[] = []
    for (const encoding of ['identity', 'br']) {
      const headers = { Cookie: api.cookie, 'Accept-Encoding': encoding }
      const reply = await readReply(api.url + path, headers)
      const bare = startProgram(lifetime, new URL('../bare/bare-fastify.ts', import.meta.url))
      const bareUrl = await bare.ask<string>({ ...reply, route: '/edition/prod/:key' } satisfies BareReply)
      await requireSame(reply, await readReply(bareUrl + path, headers))
      rows.push(await comparePair(bench, { ours: api.url + path, bare: bareUrl + path, headers, encoding, reply }))
    }
    return rows
  })
}

type Reply = Omit<BareReply, 'route'>

async function comparePair(
  { quick, progress }: Bench,
  { ours, bare, headers, encoding, reply }: {
    ours: string
    bare: string
    headers: Record<string, string>
    encoding: string
    reply: Reply
  },
): Promise<Row> {
  const bytes = kilobytes(Buffer.from(reply.bodyBase64, 'base64').byteLength)
  const label = encoding === 'identity' ? `an edition, ${bytes} plain` : `an edition, ${bytes} as ${encoding}`
  const run = (url: string, seconds: number) => requestsPerSecond(url, { connections, seconds, headers })
  const result = await progress.step(`Asking for ${label}`, async () => {
    for (const url of [ours, bare]) await run(url, quick ? 1 : 3)
    const seconds = quick ? 2 : 5
    return await takePairs(
      quick ? 3 : 9,
      { ours: () => run(ours, seconds), other: () => run(bare, seconds) },
      (pair, taken) =>
        progress.say(
          `  pair ${taken}: ${perSecond(pair.ours)}, bare ${perSecond(pair.other)}: ${ratioText(pair.ours / pair.other)}`,
        ),
    )
  })
  const isTarget = encoding === 'identity'
  return {
    measure: `GET ${label}, ${connections} connections`,
    figure: perSecond(result.ours),
    alternative: `${perSecond(result.other)} bare Fastify`,
    ratio: spreadText(result.ratio, result.spread),
    target: isTarget ? `≥ ${leastRatio}` : '',
    passed: isTarget ? result.ratio >= leastRatio : null,
  }
}

async function readReply(url: string, headers: Record<string, string>): Promise<Reply> {
  const reply = await rawGet(url, headers)
  if (reply.status !== 200) throw new Error(`${url} answered ${reply.status}: ${reply.body.toString()}`)
  const sent = Object.entries(reply.headers).filter(([name]) => !ownHeaders.has(name))
  return { headers: Object.fromEntries(sent), bodyBase64: reply.body.toString('base64') }
}

async function requireSame(ours: Reply, bare: Reply) {
  if (JSON.stringify(ours) !== JSON.stringify(bare)) {
    throw new Error('The bare server does not send the same as the API, so they cannot be compared.')
  }
}
