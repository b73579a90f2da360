import type { Db, Sql } from '#platform/database.ts'
import type { Ledger } from '#platform/sending-guard/ledger.ts'
import type { SentEntry } from '#platform/sending-guard/sent-log.ts'

/** The name of the ledger of deliveries in the log of what is sent. */
export const ledgerName = 'deliveries'

/** The ledger of deliveries, as the guard sees it. */
export const deliveryLedger: Ledger = {
  name: ledgerName,
  async isBehind(sql, messages) {
    const rows = await sql.$queryRaw`
      SELECT 1 FROM jsonb_to_recordset(${JSON.stringify(messages)}::jsonb) AS known (id uuid, attempts int)
      JOIN delivery ON delivery.id = known.id
      WHERE delivery.attempts < known.attempts LIMIT 1`
    return rows.length > 0
  },
  settle: (sql, entries, now) => settleDeliveries(sql, entries, { areClaimed: false, now }),
  holdOpen,
}

/**
 * Stores the results of deliveries that the ledger of a restored database doesn't know: sent, or unconfirmed without a
 * reply, which still counts if it comes later. Those that were refused stay planned. `areClaimed`: the caller claimed
 * these rows again before it found them in the log.
 */
export async function settleDeliveries(
  sql: Sql,
  entries: readonly SentEntry[],
  { areClaimed, now }: { areClaimed: boolean; now: Date },
): Promise<number> {
  const known = entries.map(({ key, ...entry }) => entry)
  const rows = await sql.$queryRaw`
    UPDATE delivery SET
      state = CASE
        WHEN known.outcome = 'accepted' THEN 'sent'
        WHEN known.outcome IS NULL THEN 'unconfirmed'
        ELSE delivery.state
      END,
      reason = CASE
        WHEN known.outcome = 'accepted' THEN 'sent-before-restore'
        WHEN known.outcome IS NULL THEN 'The database was restored after the message was handed over.'
        ELSE delivery.reason
      END,
      sent_at = CASE WHEN known.outcome = 'accepted' THEN known.at ELSE delivery.sent_at END,
      claimed_by = CASE WHEN known.outcome IS NULL THEN known.mark ELSE delivery.claimed_by END,
      sent_with = CASE WHEN known.outcome IS DISTINCT FROM 'refused'
        THEN nullif(known.message, delivery.id) ELSE delivery.sent_with END,
      attempts = greatest(delivery.attempts, known.attempts), updated_at = ${now}
    FROM jsonb_to_recordset(${JSON.stringify(known)}::jsonb)
      AS known (id uuid, message uuid, attempts int, at timestamptz, outcome text, mark uuid)
    WHERE delivery.id = known.id AND delivery.id = ANY(${known.map(({ id }) => id)}::uuid[])
      AND delivery.attempts <= known.attempts
      AND CASE delivery.state::text
        WHEN 'planned' THEN delivery.attempts < known.attempts
        WHEN 'sending' THEN ${areClaimed} OR delivery.attempts < known.attempts OR known.outcome = 'accepted'
        WHEN 'unconfirmed' THEN known.outcome = 'accepted'
        ELSE false
      END
    RETURNING 1`
  return rows.length
}

/** Holds all runs that are to be sent or being sent. */
async function holdOpen(tx: Db, reason: string): Promise<number> {
  const { count } = await tx.deliveryRun.updateMany({
    where: { state: { in: ['planned', 'sending'] }, plannedAt: { not: null } },
    data: { state: 'held', heldReason: reason },
  })
  return count
}
