import type { Bench } from '../../bench.ts'
import type { Row } from '../../results/table.ts'
import { type DeliverySite, startDeliverySite } from '../../sites/delivery-site.ts'
import { compareMemory } from './memory.ts'
import { comparePlanning } from './planning.ts'
import { compareReads, compareSending } from './sending.ts'

// As in the settings of a site.
const connections = 5

/** Plans editions to many members, against bare statements. */
export async function measureDeliveryPlanning(bench: Bench): Promise<Row[]> {
  const members = bench.quick ? 10_000 : 100_000
  return await withSite(bench, { name: 'planning', members }, async (site) => [
    await comparePlanning(bench, site, members),
  ])
}

/** Sends editions to members, against a bare mail loop. */
export async function measureDeliverySending(bench: Bench): Promise<Row[]> {
  const recipients = bench.quick ? 2_000 : 10_000
  return await withSite(bench, { name: 'sending', members: recipients }, async (site) => [
    await compareSending(bench, site, { connections, recipients }),
  ])
}

/** Reads an edition while others are sent, against an idle site. */
export async function measureDeliveryReads(bench: Bench): Promise<Row[]> {
  const recipients = bench.quick ? 2_000 : 10_000
  return await withSite(bench, { name: 'reads', members: recipients }, async (site) => [
    await compareReads(bench, site, { recipients }),
  ])
}

/** Sends an edition to many members, against few. */
export async function measureDeliveryMemory(bench: Bench): Promise<Row[]> {
  const members = bench.quick ? 10_000 : 100_000
  return await withSite(bench, { name: 'memory', members }, (site) =>
    compareMemory(bench, site, { few: members / 10, many: members }),
  )
}

async function withSite(
  bench: Bench,
  { name, members }: { name: string; members: number },
  measure: (site: DeliverySite) => Promise<Row[]>,
): Promise<Row[]> {
  return await bench.lifetime.within(async (lifetime) =>
    measure(await startDeliverySite(bench, lifetime, { name: `delivery_${name}`, members, connections })),
  )
}
