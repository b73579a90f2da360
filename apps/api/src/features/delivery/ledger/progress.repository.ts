import { z } from 'zod'
import { DeliveryMethod, DeliveryRunState, DeliveryState } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { queryRows } from '#platform/query-rows.ts'

const progressRowSchema = z.object({
  runId: z.int(),
  runState: z.enum(DeliveryRunState),
  sendAfter: z.date(),
  startedAt: z.date().nullable(),
  finishedAt: z.date().nullable(),
  digestDate: z.date().nullable(),
  date: z.date().nullable(),
  slot: z.string().nullable(),
  isPublished: z.boolean(),
  method: z.enum(DeliveryMethod),
  state: z.enum(DeliveryState),
  count: z.int(),
})

export type ProgressRow = z.infer<typeof progressRowSchema>

/** Counts the deliveries of the runs that are open or ended since an instant, from what triggers count. */
export async function listProgress(db: Db, since: Date): Promise<ProgressRow[]> {
  return await queryRows(db, progressRowSchema)`
    SELECT run.id AS "runId", run.state AS "runState", run.send_after AS "sendAfter", run.started_at AS "startedAt",
      run.finished_at AS "finishedAt", run.digest_date AS "digestDate", edition.date, edition.slot,
      coalesce(edition.status = 'published', true) AS "isPublished",
      counted.method, counted.state, sum(counted.count)::int AS count
    FROM delivery_run AS run
    JOIN delivery_count AS counted ON counted.run_id = run.id
    LEFT JOIN edition ON edition.id = run.edition_id
    WHERE run.state <> 'done' OR run.finished_at > ${since}
    GROUP BY run.id, edition.id, counted.method, counted.state
    HAVING sum(counted.count) > 0
    ORDER BY run.send_after, run.id, counted.method`
}

const memberRowSchema = z.object({ runId: z.int(), count: z.int() })

/** Counts the members to whom something of these runs is sent yet. */
export async function countWaitingMembers(
  db: Db,
  runIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (runIds.length === 0) return new Map()
  const rows = await queryRows(db, memberRowSchema)`
    SELECT run_id AS "runId", count(DISTINCT member_id)::int AS count FROM delivery
    WHERE run_id = ANY(${[...runIds]}::int[]) AND state = 'planned' GROUP BY run_id`
  return new Map(rows.map(({ runId, count }) => [runId, count]))
}
