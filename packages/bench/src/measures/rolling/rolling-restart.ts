import type { Lifetime } from '../../programs/lifetime.ts'
import type { Row } from '../../results/table.ts'
import type { Bench } from '../../sites/bench.ts'
import { isInstalled, type ProxyName, proxyNames } from '../../sites/proxy.ts'
import { sayFailures, startRollingSite } from './rolling-site.ts'

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

async function measure(bench: Bench, lifetime: Lifetime, proxy: ProxyName): Promise<Row> {
  const databaseUrl = await (await bench.databases()).week()
  const site = await startRollingSite(bench, lifetime, { proxy, databaseUrl })
  const count = bench.quick ? 5_000 : 10_000
  let isDone = false
  const load = site.send(count).finally(() => {
    isDone = true
  })
  let restarts = 0
  const restart = async () => {
    while (!isDone) {
      await site.restartAll()
      restarts += 2
    }
  }
  const [failures] = await bench.progress.step(`Restarting processes behind ${proxy}`, () =>
    Promise.all([load, restart()]),
  )
  sayFailures(bench, failures)
  return {
    measure: `Failed requests of ${count} in ${restarts} restarts behind ${proxy}`,
    figure: String(failures.length),
    target: '0',
    passed: failures.length === 0,
  }
}
