import { editionDeliveryEndpoints, listUnconfirmed } from '@tidings/contracts/desk/deliveries'
import { urlOf } from '@tidings/contracts/endpoint'
import { fillDeliveries } from '../../data/fill-deliveries.ts'
import { broadQueriesRow, describePlan, explainQueries, worstOfEach } from '../../probes/query-plans.ts'
import { whole } from '../../results/figures.ts'
import type { Row } from '../../results/table.ts'
import type { Bench } from '../../sites/bench.ts'
import { type DeliverySite, startDeliverySite } from '../../sites/delivery-site.ts'

const tables = /\bdelivery\b/
const ledger = /^delivery$/
const recipients = 1_000

/** Explains the queries of sending an edition and of the desk on a ledger of ten million deliveries. */
export async function measureDeliveryScale(bench: Bench): Promise<Row[]> {
  const { progress, quick } = bench
  const size = { runs: quick ? 10 : 100, members: 100_000 }
  return await bench.lifetime.within(async (lifetime) => {
    const site = await startDeliverySite(bench, lifetime, {
      name: 'deliveries',
      members: recipients,
      connections: 5,
    })
    const count = whole(size.runs * size.members)
    const oldKey = await progress.step(`Filling a ledger with ${count} deliveries`, () =>
      fillDeliveries(site.database, size),
    )
    await site.choose(recipients)
    const key = await site.draft()
    await site.publish(key)
    // The server does this by itself after a larger run.
    await site.database.query('ANALYZE delivery')
    const { logFile } = await bench.databases()
    const carriedOut = await explainQueries(site, { logFile, tables }, async () => {
      const { failure } = site.work(lifetime, 'deliveries-worker')
      await Promise.race([site.waitUntilSent(key), failure])
      for (const each of [key, oldKey]) await follow(site, each)
    })
    const queries = worstOfEach(carriedOut)
    for (const line of queries.flatMap(describePlan)) progress.say(line)
    return [broadQueriesRow(`of deliveries among ${count}`, queries, ledger)]
  })
}

/** Makes the desk's calls about an edition. */
async function follow({ call }: DeliverySite, key: string): Promise<void> {
  const { report, list } = editionDeliveryEndpoints
  await call(urlOf(report, { params: { key } }))
  for (const state of [undefined, 'sent', 'failed', 'planned', 'unconfirmed']) {
    await call(urlOf(list, { params: { key }, query: { state } }))
  }
  await call(urlOf(listUnconfirmed, { query: { state: 'unconfirmed' } }))
}
