import { z } from 'zod'
import { DeliveryMethod, DeliveryRunState, DeliveryState } from '#generated/prisma/client.ts'
import type { Sql } from '#platform/database.ts'
import { queryRows } from '#platform/query-rows.ts'

export const deliveryMethods = Object.values(DeliveryMethod)
export const deliveryStates = Object.values(DeliveryState)

/** For how long deliveries that are done are counted. */
const countedMs = 7 * 24 * 3_600_000

const stateRowSchema = z.object({
  method: z.enum(DeliveryMethod),
  state: z.enum(DeliveryState),
  count: z.int(),
})

/** Counts from what triggers count, never from the deliveries themselves. */
export async function countByState(sql: Sql, now: Date): Promise<z.infer<typeof stateRowSchema>[]> {
  return await queryRows(sql, stateRowSchema)`
    SELECT counted.method, counted.state, sum(counted.count)::int AS count
    FROM delivery_run AS run JOIN delivery_count AS counted ON counted.run_id = run.id
    WHERE run.state <> 'done' OR run.created_at > ${new Date(now.getTime() - countedMs)}
    GROUP BY 1, 2`
}

/** The states of runs that are not done. */
export const openStates = ['planned', 'sending', 'stopped', 'held'] as const satisfies DeliveryRunState[]
const runRowSchema = z.object({ state: z.enum(DeliveryRunState), count: z.int() })

/** Counts the runs that are not done. */
export async function countRuns(sql: Sql): Promise<Map<DeliveryRunState, number>> {
  const rows = await queryRows(sql, runRowSchema)`
    SELECT state, count(*)::int AS count FROM delivery_run WHERE state <> 'done' GROUP BY state`
  return new Map(rows.map(({ state, count }) => [state, count]))
}

const waitingRowSchema = z.object({ method: z.enum(DeliveryMethod), since: z.date() })

/** Returns since when deliveries of a method could have been sent. */
export async function listWaitingSince(sql: Sql, now: Date): Promise<Map<DeliveryMethod, Date>> {
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
