import { urlOf } from '@tidings/contracts/endpoint'
import { listMemos } from '@tidings/contracts/routes'
import type { BareReply } from '../bare/bare-fastify.ts'
import { busiestEdition } from '../data/edition-keys.ts'
import { requestsPerSecond } from '../load/requests-per-second.ts'
import { startProgram } from '../programs/program.ts'
import { kilobytes } from '../results/figures.ts'
import type { Row } from '../results/table.ts'
import { startApi } from '../sites/api.ts'
import type { Bench } from '../sites/bench.ts'
import { compareSpeed, costRows, readReply, requireSame, type Side, speedRow } from './compare-speed.ts'

const connections = 50
const minRatio = 0.85

/**
 * Compares an edition of eight memos with a bare Fastify that sends the same bytes and headers: uncompressed, which has the
 * target, and compressed.
 */
export async function measureEdition(bench: Bench): Promise<Row[]> {
  const databases = await bench.databases()
  const databaseUrl = await databases.week()
  return await bench.lifetime.within(async (lifetime) => {
    const api = await startApi(lifetime, { name: 'edition-api', databaseUrl, dataDir: databases.dataDir })
    const path = urlOf(listMemos, { params: { key: await busiestEdition(databaseUrl) } })
    const rows: Row[] = []
    for (const encoding of ['identity', 'br']) {
      const headers = { Cookie: api.cookie, 'Accept-Encoding': encoding }
      const reply = await readReply(api.url + path, headers)
      const bare = startProgram(lifetime, new URL('../bare/bare-fastify.ts', import.meta.url))
      const bareUrl = await bare.request<string>({
        ...reply,
        route: listMemos.path,
      } satisfies BareReply)
      requireSame(reply, await readReply(bareUrl + path, headers))
      const side = (url: string, pid: number): Side => ({
        pid,
        costs: [],
        load: (seconds) => requestsPerSecond(url + path, { connections, seconds, headers }),
      })
      const sides = { ours: side(api.url, api.pid), other: side(bareUrl, bare.pid) }
      const size = kilobytes(Buffer.from(reply.bodyBase64, 'base64').byteLength)
      const label = `an edition, ${size} ${encoding === 'identity' ? 'plain' : `as ${encoding}`}`
      const pairs = await compareSpeed(bench, label, sides)
      const target = encoding === 'identity' ? minRatio : undefined
      rows.push(speedRow(`GET ${label}, ${connections} connections`, pairs, target), ...costRows(sides))
    }
    return rows
  })
}
