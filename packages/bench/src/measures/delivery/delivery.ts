import { fillNumbers } from '../../data/fill-recipients.ts'
import type { Row } from '../../results/table.ts'
import type { Bench } from '../../sites/bench.ts'
import { type DeliverySite, startDeliverySite } from '../../sites/delivery-site.ts'
import { startEmulators } from '../../sites/emulators.ts'
import { compareMemory, measurePdfMemory } from './memory.ts'
import { comparePlanning } from './planning.ts'
import { compareReads, compareSending } from './sending.ts'
import { compareTexting, compareTextRate } from './sms.ts'

// As in the settings of a site.
const connections = 5
// Twilio's replies take longer than a mail server's.
const textConnections = 20

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

/** Sends an edition to many members, against few, and PDFs to those few. */
export async function measureDeliveryMemory(bench: Bench): Promise<Row[]> {
  const members = bench.quick ? 10_000 : 100_000
  const few = members / 10
  return await withSite(bench, { name: 'memory', members }, async (site) => [
    await measurePdfMemory(bench, site, few),
    ...(await compareMemory(bench, site, { few, many: members })),
  ])
}

/** Texts editions to members, against a bare loop and against a rate limit. */
export async function measureDeliverySms(bench: Bench): Promise<Row[]> {
  const recipients = bench.quick ? 1_000 : 10_000
  return await bench.lifetime.within(async (lifetime) => {
    const { dataDir } = await bench.databases()
    const emulators = await startEmulators(lifetime, { name: 'delivery-emulators', dataDir })
    await emulators.twilio.delayReplies(0)
    const site = await startDeliverySite(bench, lifetime, {
      name: 'delivery_texts',
      members: recipients,
      connections,
      settings: {
        ...emulators.twilio.settings,
        SMS_CONNECTIONS: String(textConnections),
        SMS_QUIET_HOURS: 'off',
      },
    })
    await fillNumbers(site.database)
    return [
      ...(await compareTexting(bench, { site, emulators }, { connections: textConnections, recipients })),
      await compareTextRate(bench, { site, emulators }, { limit: 100, recipients: recipients / 5 }),
    ]
  })
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
