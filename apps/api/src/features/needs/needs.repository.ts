import { z } from 'zod'
import type { Db } from '#platform/database.ts'
import { queryRows } from '#platform/query-rows.ts'

const failedSchema = z.object({
  date: z.date().nullable(),
  slot: z.string().nullable(),
  digestDate: z.date().nullable(),
  isHeld: z.boolean(),
  failed: z.int(),
  reason: z.string().nullable(),
})

/** A run that is held or had failures. */
export type FailedSend = z.infer<typeof failedSchema>

/** Lists the runs that are held, and those since an instant with failures, newest first, from what triggers count. */
export async function listFailedSends(db: Db, since: Date): Promise<FailedSend[]> {
  return await queryRows(db, failedSchema)`
    SELECT edition.date, edition.slot, run.digest_date AS "digestDate", run.state = 'held' AS "isHeld",
      coalesce(counted.failed, 0)::int AS failed,
      CASE WHEN run.state = 'held' THEN run.held_reason ELSE nullif(counted.reason, '') END AS reason
    FROM delivery_run run
    LEFT JOIN edition ON edition.id = run.edition_id
    LEFT JOIN LATERAL (
      SELECT sum(of_reason.count) AS failed, (array_agg(of_reason.reason ORDER BY of_reason.count DESC))[1] AS reason
      FROM (
        SELECT reason, sum(count) AS count FROM delivery_count
        WHERE run_id = run.id AND state = 'failed' GROUP BY reason
      ) of_reason
    ) counted ON true
    WHERE (run.state = 'held' OR run.created_at >= ${since})
      AND (run.state = 'held' OR counted.failed > 0)
      AND (edition.id IS NULL OR edition.status = 'published')
    ORDER BY run.id DESC LIMIT 20`
}

const leftOutSchema = z.object({ date: z.date(), slot: z.string(), memo: z.string(), title: z.string() })

/** A memo that readers of its edition don't have. */
export type LeftOut = z.infer<typeof leftOutSchema>

/** Lists the memos that the publication of editions since a day left out, and that readers still don't have. */
export async function listLeftOut(db: Db, from: Date): Promise<LeftOut[]> {
  // The limit makes the audit log be read by its index, edition by edition.
  return await queryRows(db, leftOutSchema)`
    SELECT edition.date, edition.slot, copy.id::text AS memo, copy.fields->>'title' AS title
    FROM working_copy copy
    JOIN edition ON edition.id = copy.edition_id AND edition.status = 'published' AND edition.date >= ${from}::date
    JOIN LATERAL (
      SELECT entry.id FROM audit_entry entry
      WHERE entry.subject = to_char(edition.date, 'MM-DD-YY') || '-' || edition.slot
        AND entry.action = 'edition.leave-out'
        AND entry.details->'memos' @> jsonb_build_array(jsonb_build_object('id', copy.id::text))
      LIMIT 1
    ) entry ON true
    WHERE copy.kind = 'memo' AND copy.place IS NOT NULL
    ORDER BY edition.date DESC, edition.publish_at DESC, copy.place LIMIT 20`
}

const bouncesSchema = z.object({ emails: z.int(), suppressed: z.int() })

/** Counts the emails that were returned, and the addresses that were suppressed, since an instant. */
export async function countBounces(db: Db, since: Date): Promise<z.infer<typeof bouncesSchema>> {
  const [counted] = await queryRows(db, bouncesSchema)`
    SELECT
      (SELECT coalesce(sum(bounced), 0)::int FROM deliverability WHERE at >= ${since}) AS emails,
      (SELECT count(*)::int FROM suppression WHERE suppressed_at >= ${since}) AS suppressed`
  return counted ?? { emails: 0, suppressed: 0 }
}
