import { setTimeout as pause } from 'node:timers/promises'
import { urlOf } from '@tidings/contracts/endpoint'
import { likeMemo, listMemos } from '@tidings/contracts/routes'
import { freePort } from '@tidings/launcher/free-port'
import { busiestEdition, someMemoIds } from '../../data/edition-keys.ts'
import { sendMixedRequests } from '../../load/mixed-requests.ts'
import { createLifetime, type Lifetime } from '../../programs/lifetime.ts'
import { startApi } from '../../sites/api.ts'
import type { Bench } from '../../sites/bench.ts'
import { builtApi } from '../../sites/built.ts'
import { type ProxyName, startProxy } from '../../sites/proxy.ts'

const perSecond = 150
/** Between two restarts, so that the proxy has found the first process again. */
const settleMs = 4_000
const drainSeconds = 4
const postEvery = 20

/** Starts two API processes behind a proxy. `program` is the API's main file. */
export async function startRollingSite(
  bench: Bench,
  lifetime: Lifetime,
  { proxy, databaseUrl, program = builtApi }: { proxy: ProxyName; databaseUrl: string; program?: string },
) {
  const { dataDir } = await bench.databases()
  const [port, ...apiPorts] = [await freePort(), await freePort(), await freePort()] as const
  const settings = {
    SITE_URL: `http://127.0.0.1:${port}`,
    TRUST_PROXY: '127.0.0.1',
    DRAIN_SECONDS: String(drainSeconds),
    // Each like is a new reader's, from one address.
    RATE_NEW_READERS_PER_HOUR: '1000000',
  }
  const running = new Map<number, Lifetime>()
  const start = async (apiPort: number, file: string) => {
    const inner = createLifetime()
    running.set(apiPort, inner)
    const name = `rolling-${apiPort}`
    return await startApi(inner, { name, databaseUrl, dataDir, settings, port: apiPort, program: file })
  }
  lifetime.atEnd(async () => {
    for (const inner of running.values()) await inner.end()
  })
  const [{ cookie }] = [await start(apiPorts[0], program), await start(apiPorts[1], program)]
  const url = await startProxy(lifetime, proxy, { port, apiPorts })
  await pause(settleMs)
  const edition = url + urlOf(listMemos, { params: { key: await busiestEdition(databaseUrl) } })
  const [memoId = ''] = await someMemoIds(databaseUrl, 1)

  return {
    /** Sends requests for editions, and a like every 20th time. Returns why each failed one did. */
    send: (count: number) =>
      sendMixedRequests({ count, perSecond }, (index) =>
        index % postEvery > 0
          ? { method: 'GET', url: edition, cookie }
          : {
              method: 'POST',
              url: url + urlOf(likeMemo),
              cookie,
              body: { id: memoId, add: index % (2 * postEvery) === 0 },
            },
      ),

    /** Stops each process and starts it with this program, one after the other. */
    async restartAll(file = builtApi): Promise<void> {
      for (const apiPort of apiPorts) {
        const [failure] = (await running.get(apiPort)?.end()) ?? []
        if (failure !== undefined) throw failure
        await start(apiPort, file)
        await pause(settleMs)
      }
    },
  }
}

/** Prints each kind of failure with its number. */
export function sayFailures({ progress }: Bench, failures: readonly string[]): void {
  for (const failure of new Set(failures)) {
    progress.say(`  ${failures.filter((each) => each === failure).length} × ${failure}`)
  }
}
