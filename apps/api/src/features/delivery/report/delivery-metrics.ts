import { z } from 'zod'
import { DeliveryMethod, DeliveryRunState, DeliveryState } from '#generated/prisma/client.ts'
import type { Sql } from '#platform/database.ts'
import { type DatabaseMetrics, secondsSince } from '#platform/database-metrics/database-metrics.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { queryRows } from '#platform/query-rows.ts'
import { holdReasons } from '#platform/sending-guard/hold-reasons.ts'
import type { SendingGuard } from '#platform/sending-guard/sending-guard.ts'
import { listUnavailableServers } from '../ledger/server-state.repository.ts'
import { transports } from '../transports.ts'

type Deps = Pick<PlatformDeps, 'database'> & {
  databaseMetrics: DatabaseMetrics
  sendingGuard: Pick<SendingGuard, 'read'>
}

/** For how long deliveries that are done are counted. */
const countedMs = 7 * 24 * 3_600_000

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
    return Object.values(DeliveryMethod).flatMap((method) =>
      Object.values(DeliveryState).map((state) => ({
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
      ...Object.values(DeliveryMethod).map((method) => ({
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

const stateRowSchema = z.object({
  method: z.enum(DeliveryMethod),
  state: z.enum(DeliveryState),
  count: z.int(),
})

/** Counts from what triggers count, never from the deliveries themselves. */
async function countByState(sql: Sql, now: Date): Promise<z.infer<typeof stateRowSchema>[]> {
  return await queryRows(sql, stateRowSchema)`
    SELECT counted.method, counted.state, sum(counted.count)::int AS count
    FROM delivery_run AS run JOIN delivery_count AS counted ON counted.run_id = run.id
    WHERE run.state <> 'done' OR run.created_at > ${new Date(now.getTime() - countedMs)}
    GROUP BY 1, 2`
}

const openStates = ['planned', 'sending', 'stopped', 'held'] as const satisfies DeliveryRunState[]
const runRowSchema = z.object({ state: z.enum(DeliveryRunState), count: z.int() })

async function countRuns(sql: Sql): Promise<Map<DeliveryRunState, number>> {
  const rows = await queryRows(sql, runRowSchema)`
    SELECT state, count(*)::int AS count FROM delivery_run WHERE state <> 'done' GROUP BY state`
  return new Map(rows.map(({ state, count }) => [state, count]))
}

const waitingRowSchema = z.object({ method: z.enum(DeliveryMethod), since: z.date() })

/** Returns since when deliveries of a method could have been sent. */
async function listWaitingSince(sql: Sql, now: Date): Promise<Map<DeliveryMethod, Date>> {
  const rows = await queryRows(sql, waitingRowSchema)`
    SELECT counted.method, min(run.send_after) AS since
    FROM delivery_run AS run
    JOIN LATERAL (
      SELECT method FROM delivery_count WHERE run_id = run.id AND state = 'planned'
      GROUP BY method HAVING sum(count) > 0
    ) AS counted ON true
    WHERE run.state IN ('planned', 'sending') AND run.send_after <= ${now}
    GROUP BY counted.method`
  return new Map(rows.map(({ method, since }) => [method, since]))
}
