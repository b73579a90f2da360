import type { DeliveryEvent } from '@tidings/contracts/desk/events'
import { formatWireDate } from '@tidings/contracts/edition-key'
import type { DeskEvents } from '#features/desk/index.ts'
import { findEditionById, idOf, keyOf } from '#features/editions/index.ts'
import type { Db } from '#platform/database.ts'
import { fromDatabaseDate } from '#platform/database-date.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import type { CoalescedNotifications } from '#platform/notifications/coalesced-notifications.ts'
import { countDeliveries } from '../ledger/report.repository.ts'
import { findRunById, isWithdrawn } from '../ledger/runs.repository.ts'
import { toWireMethod } from '../methods.ts'
import { progressChannel } from '../run-progress.ts'
import { throttleByKey } from './throttle-by-key.ts'

type Deps = Pick<PlatformDeps, 'database' | 'notifications' | 'logger'> & {
  coalesced: CoalescedNotifications
  deskEvents: DeskEvents
}

const eventMs = 1_000

/** Shows open desks how far a delivery is. Notifications carry a run's id; each process with open desks reads the counts. */
export function createDeliveryProgress({ database, notifications, coalesced, deskEvents, logger }: Deps) {
  const note = coalesced.topic(progressChannel, (runIds) => runIds)
  let lastSent: Promise<void> = Promise.resolve()

  async function send(runId: number): Promise<void> {
    if (deskEvents.sockets.size === 0) return
    try {
      const event = await readProgress(database.db, runId)
      if (event !== null) deskEvents.broadcast(event)
    } catch (error) {
      // A desk that misses an event gets the counts with the next one, or reads them.
      logger.warn({ err: error }, 'delivery progress failed')
    }
  }
  const sendSometimes = throttleByKey(async (runId: number) => {
    const sent = send(runId)
    lastSent = Promise.all([lastSent, sent]).then(() => undefined)
    await sent
  }, eventMs)
  notifications.on(progressChannel, (payload) => sendSometimes(Number(payload)))

  return {
    /** Notifies all processes, after a commit, that deliveries of a run were sent. */
    noteProgress: (runId: number): void => note([String(runId)]),

    /** Resolves once the counts that were asked for have been sent. */
    settled: async (): Promise<void> => await lastSent,
  }
}

/** Returns how far a run is; null without one. */
async function readProgress(db: Db, runId: number): Promise<DeliveryEvent | null> {
  const run = await findRunById(db, runId)
  if (run === null) return null
  const edition = run.editionId === null ? null : await findEditionById(db, run.editionId)
  const counted = new Map<string, DeliveryEvent['counts'][number]>()
  for (const { method: stored, state, count } of await countDeliveries(db, runId)) {
    const method = toWireMethod(stored)
    const before = counted.get(`${method} ${state}`)?.count ?? 0
    counted.set(`${method} ${state}`, { method, state, count: before + count })
  }
  return {
    type: 'delivery',
    edition: edition === null ? null : keyOf(idOf(edition)),
    digest: run.digestDate === null ? null : formatWireDate(fromDatabaseDate(run.digestDate)),
    state: run.state !== 'done' && (await isWithdrawn(db, run)) ? 'withdrawn' : run.state,
    sendAfter: run.sendAfter.toISOString(),
    counts: [...counted.values()],
  }
}
