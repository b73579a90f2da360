import { setTimeout as pause } from 'node:timers/promises'
import { urlOf } from '@tidings/contracts/endpoint'
import { likeMemo, listMemos } from '@tidings/contracts/routes'
import { freePort } from '@tidings/launcher/free-port'
import { busiestEdition, someMemoIds } from '../../data/edition-keys.ts'
import { sendMixedRequests } from '../../load/mixed-requests.ts'
import { createLifetime, type Lifetime } from '../../programs/lifetime.ts'
import type { Row } from '../../results/table.ts'
import { type Api, startApi } from '../../sites/api.ts'
import type { Bench } from '../../sites/bench.ts'
import { isInstalled, type ProxyName, proxyNames, startProxy } from '../../sites/proxy.ts'

const perSecond = 150
// Between two restarts, so that the proxy has found the first process again.
const settleMs = 4_000
const drainSeconds = 4
const postEvery = 20

/** Restarts two API processes in turn behind each installed proxy, and counts the requests that failed meanwhile. */
export async function measureRollingRestart(bench: Bench): Promise<Row[]> {
  const rows: Row[] = []
  for (const name of proxyNames) {
    if (isInstalled(name))
      rows.push(await bench.lifetime.within((lifetime) => measure(bench, lifetime, name)))
    else rows.push({ measure: `A rolling restart behind ${name}`, figure: `${name} is not installed` })
  }
  return rows
}

async function measure(bench: Bench, lifetime: Lifetime, name: ProxyName): Promise<Row> {
  const databases = await bench.databases()
  const databaseUrl = await databases.week()
  const [port, first, second] = [await freePort(), await freePort(), await freePort()]
  const settings = {
    SITE_URL: `http://127.0.0.1:${port}`,
    TRUST_PROXY: '127.0.0.1',
    DRAIN_SECONDS: String(drainSeconds),
    // Each like is a new reader's, from one address.
    RATE_NEW_READERS_PER_HOUR: '1000000',
  }
  const start = (apiPort: number) =>
    startRestartable(lifetime, async (inner) => {
      const options = { name: `rolling-${apiPort}`, databaseUrl, dataDir: databases.dataDir, port: apiPort }
      return await startApi(inner, { ...options, settings })
    })
  const processes = [await start(first), await start(second)] as const
  const url = await startProxy(lifetime, name, { port, apiPorts: [first, second] })
  await pause(settleMs)

  const count = bench.quick ? 5_000 : 10_000
  const cookie = processes[0].api.cookie
  const edition = url + urlOf(listMemos, { params: { key: await busiestEdition(databaseUrl) } })
  const [memoId = ''] = await someMemoIds(databaseUrl, 1)
  let isDone = false
  const load = sendMixedRequests({ count, perSecond }, (index) =>
    index % postEvery === 0
      ? {
          method: 'POST',
          url: url + urlOf(likeMemo),
          cookie,
          body: { id: memoId, add: index % (2 * postEvery) === 0 },
        }
      : { method: 'GET', url: edition, cookie },
  ).finally(() => {
    isDone = true
  })
  let restarts = 0
  const restart = async () => {
    for (let next = 0; !isDone; next = 1 - next) {
      await (next === 0 ? processes[0] : processes[1]).restart()
      restarts += 1
      await pause(settleMs)
    }
  }
  const [failures] = await bench.progress.step(`Restarting processes behind ${name}`, () =>
    Promise.all([load, restart()]),
  )
  for (const failure of new Set(failures)) {
    bench.progress.say(`  ${failures.filter((each) => each === failure).length} × ${failure}`)
  }
  return {
    measure: `Failed requests of ${count} in ${restarts} restarts behind ${name}`,
    figure: String(failures.length),
    target: '0',
    passed: failures.length === 0 && restarts >= 2,
  }
}

/** Starts a process that can be stopped and started again. */
async function startRestartable(lifetime: Lifetime, start: (lifetime: Lifetime) => Promise<Api>) {
  let inner = createLifetime()
  lifetime.atEnd(async () => void (await inner.end()))
  const api = await start(inner)
  return {
    api,
    async restart(): Promise<void> {
      const [failure] = await inner.end()
      if (failure !== undefined) throw failure
      inner = createLifetime()
      await start(inner)
    },
  }
}
