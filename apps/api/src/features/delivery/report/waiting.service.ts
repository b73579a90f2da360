import type { DeliveryReport, Waiting } from '@tidings/contracts/delivery/deliveries'
import type { Db } from '#platform/database.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import type { SendingGuard } from '#platform/sending-guard/sending-guard.ts'
import { listWaitingDomains } from '../ledger/refusing-domains.repository.ts'
import { type CountedDeliveries, countDeliveries, type ListedDelivery } from '../ledger/report.repository.ts'
import { isWithdrawn, type RunRow } from '../ledger/runs.repository.ts'
import { listUnavailableServers } from '../ledger/server-state.repository.ts'
import { transportOf, transports } from '../transports.ts'
import { countOfDomains, countWaiting, hasSender, listFirstWaiting } from './waiting.repository.ts'
import {
  domainReason,
  noWorker,
  obstacleOf,
  otherDomains,
  paceReason,
  retryReason,
  serverReason,
  type TransportName,
  type WaitingFacts,
} from './waiting-reasons.ts'

type Deps = Pick<PlatformDeps, 'clock'> & {
  sendingGuard: Pick<SendingGuard, 'read'>
  timeZone: string
  /** Texts each second; 0 for no limit. */
  smsPerSecond: number
}

type OfReport = DeliveryReport['waiting']

const minuteMs = 60_000
/** Workers look after a run each minute; without a sign for longer, none is running. */
const noWorkerMs = 3 * minuteMs
const lostAfterMs = 30_000
/** A widely used block list can make thousands of domains refuse. */
const maxDomains = 20
/** Texts that take longer than this at the set pace count as waiting for it. */
const paceSeconds = 60

export type WaitingService = ReturnType<typeof createWaiting>

/** Creates the service that says why deliveries wait. */
export function createWaiting({ clock, sendingGuard, timeZone, smsPerSecond }: Deps) {
  const formatter = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone })

  /** Reads the facts about all deliveries. */
  async function readFacts(db: Db): Promise<WaitingFacts> {
    const now = clock.now()
    return {
      now,
      hold: await sendingGuard.read(),
      unavailable: await listUnavailableServers(db),
      refusing: await listWaitingDomains(db, now),
      format: (at) => formatter.format(at).replaceAll('\u202F', ' '),
    }
  }

  /** Says why deliveries that no time holds back are not sent either. */
  async function readIdle(
    db: Db,
    run: RunRow,
    transport: TransportName,
    { count, facts }: { count: number; facts: WaitingFacts },
  ): Promise<Waiting | null> {
    const { now } = facts
    const server = serverReason(transport, facts)
    if (server !== null) return server
    const seenAt = run.activeAt !== null && run.activeAt > run.sendAfter ? run.activeAt : run.sendAfter
    const isSilent = now.getTime() - seenAt.getTime() > noWorkerMs
    if (isSilent && !(await hasSender(db, run.id, new Date(now.getTime() - lostAfterMs)))) return noWorker
    const isPaced = transport === 'sms' && smsPerSecond > 0 && count / smsPerSecond > paceSeconds
    return isPaced ? paceReason(count, smsPerSecond) : null
  }

  async function ofTransport(
    db: Db,
    run: RunRow,
    { name, methods }: (typeof transports)[number],
    { count, facts }: { count: number; facts: WaitingFacts },
  ): Promise<OfReport> {
    const waitingCount = await countWaiting(db, run.id, methods, facts.now)
    const domains = facts.refusing.map(({ domain }) => domain)
    const ofDomains =
      domains.length > 0 ? await countOfDomains(db, run.id, { methods, domains }, facts.now) : []
    const refused = ofDomains.slice(0, maxDomains).map(({ domain }) => domainReason(`@${domain}`, facts))
    const others = otherDomains(ofDomains.length - maxDomains)
    const idle = count - waitingCount - ofDomains.reduce((sum, of) => sum + of.count, 0)
    const reasons = [
      ...refused,
      others,
      idle > 0 ? await readIdle(db, run, name, { count: idle, facts }) : null,
    ]
    const rows = waitingCount > 0 ? await listFirstWaiting(db, run.id, methods, facts.now) : []
    const first = rows.sort((one, other) => one.nextAttemptAt.getTime() - other.nextAttemptAt.getTime())
    const all = [...reasons, ...first.map((row) => retryReason(row, name, facts))]
    const byReason = new Map<string, Waiting>()
    for (const waiting of all) {
      if (waiting === null) continue
      const key = waiting.reason === 'domain-refuses' ? waiting.message : waiting.reason
      if (!byReason.has(key)) byReason.set(key, waiting)
    }
    return [...byReason.values()].map((waiting) => ({ transport: name, ...waiting }))
  }

  return {
    readFacts,

    /** Says for each transport why deliveries of a run that are due still wait. */
    async ofRun(db: Db, run: RunRow): Promise<OfReport> {
      const facts = await readFacts(db)
      const counts = await countDeliveries(db, run.id)
      const isPublished = !(await isWithdrawn(db, run))
      const obstacle = obstacleOf({ ...run, isDigest: run.editionId === null, isPublished }, facts)
      const isOpen = run.state === 'planned' || run.state === 'sending'
      const lists = []
      for (const transport of transports) {
        const count = countPlanned(counts, transport.name)
        if (count === 0) continue
        if (obstacle !== null) lists.push([{ transport: transport.name, ...obstacle }])
        else if (isOpen && run.sendAfter <= facts.now) {
          lists.push(await ofTransport(db, run, transport, { count, facts }))
        }
      }
      return lists.flat()
    },
  }
}

/** Returns how many deliveries by a transport are still to be sent. */
function countPlanned(counts: readonly CountedDeliveries[], transport: TransportName): number {
  return counts
    .filter(({ state }) => state === 'planned' || state === 'held')
    .filter(({ method }) => transportOf(method).name === transport)
    .reduce((sum, { count }) => sum + count, 0)
}

/** Says why one delivery waits; null for one that doesn't. */
export function waitingOf(row: ListedDelivery, facts: WaitingFacts): Waiting | null {
  if (row.state !== 'planned' && row.state !== 'held') return null
  const obstacle = obstacleOf(row.run, facts)
  if (obstacle !== null) return obstacle
  const { name: transport } = transportOf(row.method)
  const { nextAttemptAt } = row
  if (nextAttemptAt !== null && nextAttemptAt > facts.now) {
    return retryReason({ ...row, nextAttemptAt }, transport, facts)
  }
  if (row.run.sendAfter > facts.now) return null
  return domainReason(row.recipient, facts) ?? serverReason(transport, facts)
}
