import type { Bench } from '../../bench.ts'
import type { Row } from '../../results/table.ts'
import { startDeliverySite } from '../../sites/delivery-site.ts'
import { compareMemory } from './memory.ts'
import { comparePlanning } from './planning.ts'
import { compareReads, compareSending } from './sending.ts'

// As in the settings of a site.
const connections = 5

/** Plans and sends editions to many members, against bare statements, a bare mail loop and an idle site. */
export async function measureDelivery(bench: Bench): Promise<Row[]> {
  const { quick } = bench
  const members = quick ? 10_000 : 100_000
  const recipients = quick ? 2_000 : 10_000
  return await bench.lifetime.within(async (lifetime) => {
    const site = await startDeliverySite(bench, lifetime, { name: 'recipients', members, connections })
    return [
      await comparePlanning(bench, site, members),
      await compareSending(bench, site, { connections, recipients }),
      await compareReads(bench, site, { recipients }),
      await compareMemory(bench, site, { few: members / 10, many: members }),
    ]
  })
}
