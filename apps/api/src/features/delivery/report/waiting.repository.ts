import { z } from 'zod'
import { DeliveryMethod } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { countRowSchema, queryRows } from '#platform/query-rows.ts'

const waitingRowSchema = z.object({
  method: z.enum(DeliveryMethod),
  recipient: z.string(),
  reason: z.string().nullable(),
  attempts: z.int(),
  attemptLog: z.unknown(),
  nextAttemptAt: z.date(),
})

/** A delivery that waits until a time, as far as it says why. */
export type WaitingRow = z.infer<typeof waitingRowSchema>

const domainCountSchema = z.object({ domain: z.string(), count: z.int() })

/** The number of rows that are read of each method: those that are tried again first. */
const rowsRead = 200

/** Lists the deliveries of a run that are tried again first. Reads as many entries of the index, however many wait. */
export async function listFirstWaiting(
  db: Db,
  runId: number,
  methods: readonly DeliveryMethod[],
  now: Date,
): Promise<WaitingRow[]> {
  return await queryRows(db, waitingRowSchema)`
    SELECT each.* FROM unnest(${[...methods]}::delivery_method[]) AS of_method, LATERAL (
      SELECT method, recipient, reason, attempts, attempt_log AS "attemptLog", next_attempt_at AS "nextAttemptAt"
      FROM delivery
      WHERE run_id = ${runId} AND state = 'planned' AND method = of_method AND next_attempt_at > ${now}
      ORDER BY next_attempt_at LIMIT ${rowsRead}
    ) AS each`
}

/** Counts the deliveries of a run by one of these methods that wait until a later time. */
export async function countWaiting(
  db: Db,
  runId: number,
  methods: readonly DeliveryMethod[],
  now: Date,
): Promise<number> {
  const [row] = await queryRows(db, countRowSchema)`
    SELECT count(*)::int AS count FROM delivery
    WHERE run_id = ${runId} AND state = 'planned' AND method = ANY(${[...methods]}::delivery_method[])
      AND next_attempt_at > ${now}`
  return row?.count ?? 0
}

/** Counts the deliveries of a run to each of these domains that no time holds back. Reads all that are planned. */
export async function countOfDomains(
  db: Db,
  runId: number,
  { methods, domains }: { methods: readonly DeliveryMethod[]; domains: readonly string[] },
  now: Date,
): Promise<{ domain: string; count: number }[]> {
  return await queryRows(db, domainCountSchema)`
    SELECT split_part(recipient, '@', 2) AS domain, count(*)::int AS count FROM delivery
    WHERE run_id = ${runId} AND state = 'planned' AND method = ANY(${[...methods]}::delivery_method[])
      AND (next_attempt_at IS NULL OR next_attempt_at <= ${now})
      AND split_part(recipient, '@', 2) = ANY(${[...domains]}::text[])
    GROUP BY 1 ORDER BY 2 DESC`
}

/** Returns whether a sender of a run was active since then. */
export async function hasSender(db: Db, runId: number, since: Date): Promise<boolean> {
  return (await db.deliverySender.count({ where: { runId, heartbeatAt: { gte: since } } })) > 0
}
