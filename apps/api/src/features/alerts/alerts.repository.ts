import { z } from 'zod'
import type { Sql } from '#platform/database.ts'
import { queryRows } from '#platform/query-rows.ts'

/** One kind of problem, and who is told about it. */
type AlertId = { kind: string; recipient: string }

const claimedSchema = z.object({ since: z.date(), toldAt: z.date().nullable() })

/**
 * Notes that a problem lasts, and leases the right to send an email about it: null if the recipient was told within
 * the hour, or another process is sending.
 */
export async function claimRaised(
  db: Sql,
  { kind, recipient }: AlertId,
  { since, now, toldBefore, leasedUntil }: { since: Date; now: Date; toldBefore: Date; leasedUntil: Date },
): Promise<z.infer<typeof claimedSchema> | null> {
  await db.$queryRaw`
    INSERT INTO operator_alert (kind, recipient, since) VALUES (${kind}, ${recipient}, ${since})
    ON CONFLICT (kind, recipient) DO UPDATE SET since = coalesce(operator_alert.since, excluded.since)`
  const [claimed] = await queryRows(db, claimedSchema)`
    UPDATE operator_alert SET leased_until = ${leasedUntil}
    WHERE kind = ${kind} AND recipient = ${recipient}
      AND (told_at IS NULL OR told_at <= ${toldBefore}) AND (leased_until IS NULL OR leased_until <= ${now})
    RETURNING since, told_at AS "toldAt"`
  return claimed ?? null
}

const resolvedSchema = z.object({ toldSince: z.date() })

/** Notes that a problem is over, and leases the right to say so: null if the recipient doesn't know of it. */
export async function claimResolved(
  db: Sql,
  { kind, recipient }: AlertId,
  { now, leasedUntil }: { now: Date; leasedUntil: Date },
): Promise<z.infer<typeof resolvedSchema> | null> {
  const [claimed] = await queryRows(db, resolvedSchema)`
    WITH over AS (
      UPDATE operator_alert
      SET since = NULL, leased_until = CASE WHEN told_since IS NULL THEN NULL ELSE ${leasedUntil}::timestamptz END
      WHERE kind = ${kind} AND recipient = ${recipient} AND (since IS NOT NULL OR told_since IS NOT NULL)
        AND (leased_until IS NULL OR leased_until <= ${now})
      RETURNING told_since
    )
    SELECT told_since AS "toldSince" FROM over WHERE told_since IS NOT NULL`
  return claimed ?? null
}

/** Records that the recipient was told that a problem lasts. */
export async function markTold(
  db: Sql,
  { kind, recipient }: AlertId,
  { since, now }: { since: Date; now: Date },
): Promise<void> {
  await db.$queryRaw`
    UPDATE operator_alert SET told_at = ${now}, told_since = ${since}, leased_until = NULL
    WHERE kind = ${kind} AND recipient = ${recipient}`
}

/** Records that the recipient was told that a problem is over. */
export async function markResolved(db: Sql, { kind, recipient }: AlertId): Promise<void> {
  await db.$queryRaw`
    UPDATE operator_alert SET told_since = NULL, leased_until = NULL
    WHERE kind = ${kind} AND recipient = ${recipient}`
}

/** Ends a lease after a failure, so that the next check tries again. */
export async function release(db: Sql, { kind, recipient }: AlertId): Promise<void> {
  await db.$queryRaw`
    UPDATE operator_alert SET leased_until = NULL WHERE kind = ${kind} AND recipient = ${recipient}`
}
