import { type DatabaseMetrics, secondsSince } from '#platform/database-metrics/database-metrics.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { holdReasons } from '#platform/sending-guard/hold-reasons.ts'
import type { SendingGuard } from '#platform/sending-guard/sending-guard.ts'
import {
  countByState,
  countRuns,
  deliveryMethods,
  deliveryStates,
  listWaitingSince,
  openStates,
} from '../ledger/delivery-counts.repository.ts'
import { listUnavailableServers } from '../ledger/server-state.repository.ts'
import { transports } from '../transports.ts'

type Deps = Pick<PlatformDeps, 'database'> & {
  databaseMetrics: DatabaseMetrics
  sendingGuard: Pick<SendingGuard, 'read'>
}

/** Exports how far the deliveries are, and what holds them. */
export function exportDeliveries(deps: Deps): void {
  exportLedger(deps)
  exportHolds(deps)
}

function exportLedger({ databaseMetrics, database: { sql } }: Deps): void {
  const deliveries = databaseMetrics.gauge({
    name: 'tidings_deliveries',
    help: 'Deliveries by method and state, of the last 7 days and of all that is still being sent',
    labelNames: ['method', 'state'],
  })
  databaseMetrics.fill('deliveries', [deliveries], async (now) => {
    const counts = new Map(
      (await countByState(sql, now)).map(({ method, state, count }) => [`${method} ${state}`, count]),
    )
    return deliveryMethods.flatMap((method) =>
      deliveryStates.map((state) => ({
        gauge: deliveries,
        labels: { method, state },
        value: counts.get(`${method} ${state}`) ?? 0,
      })),
    )
  })

  const waiting = databaseMetrics.gauge({
    name: 'tidings_delivery_oldest_waiting_seconds',
    help: 'By method, how long ago the oldest delivery that waits could have been sent, quiet hours and retries included; 0 if none waits',
    labelNames: ['method'],
  })
  const runs = databaseMetrics.gauge({
    name: 'tidings_delivery_runs',
    help: 'Editions and digests by the state of their sending: planned, sending, stopped by an editor, or held for one',
    labelNames: ['state'],
  })
  databaseMetrics.fill('delivery runs', [waiting, runs], async (now) => {
    const open = await countRuns(sql)
    const since = await listWaitingSince(sql, now)
    return [
      ...openStates.map((state) => ({ gauge: runs, labels: { state }, value: open.get(state) ?? 0 })),
      ...deliveryMethods.map((method) => ({
        gauge: waiting,
        labels: { method },
        value: secondsSince(since.get(method) ?? null, now),
      })),
    ]
  })
}

function exportHolds({ databaseMetrics, database: { db }, sendingGuard }: Deps): void {
  const held = databaseMetrics.gauge({
    name: 'tidings_sending_held',
    help: '1 for the reason why nothing is sent; held means by an operator',
    labelNames: ['reason'],
  })
  const server = databaseMetrics.gauge({
    name: 'tidings_delivery_server_unavailable_seconds',
    help: 'By transport, for how long its server has not accepted deliveries; 0 while it does',
    labelNames: ['transport'],
  })
  databaseMetrics.fill('sending held', [held, server], async (now) => {
    const hold = await sendingGuard.read()
    const since = new Map(
      (await listUnavailableServers(db)).map(({ transport, unavailableSince }) => [
        transport,
        unavailableSince,
      ]),
    )
    return [
      ...Object.keys(holdReasons).map((reason) => ({
        gauge: held,
        labels: { reason },
        value: reason === hold ? 1 : 0,
      })),
      ...transports.map(({ name: transport }) => ({
        gauge: server,
        labels: { transport },
        value: secondsSince(since.get(transport) ?? null, now),
      })),
    ]
  })
}
