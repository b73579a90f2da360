import type { CalendarDate } from '@tidings/contracts/edition-key'
import type { Db } from '#platform/database.ts'
import { toDatabaseDate } from '#platform/database-date.ts'

type FullMailbox = {
  address: string
  reason: string
  now: Date
  /** By the site's time zone. */
  today: CalendarDate
  /** The delivery that was refused; null if the server refused it just now, or it is not known. */
  deliveryId: string | null
}

/** The days with a refusal after which an address is suppressed, and the days in which they count together. */
const maxDays = 3
const windowDays = 14

/**
 * Counts the days on which a member's mailbox was full, and suppresses the address with the third one within two weeks. A
 * message that was accepted between two refused ones shows that there was room: it forgets the days before.
 */
export async function countFullMailbox(
  tx: Db,
  { address, reason, now, today, deliveryId }: FullMailbox,
): Promise<void> {
  const day = toDatabaseDate(today)
  // Reads only recent runs, so that index lookups stay bounded. Reports arrive in the order of sending.
  await tx.$executeRaw`
    WITH refused AS (
      SELECT coalesce(
        (SELECT coalesce(sent_at, claimed_at) FROM delivery WHERE id = ${deliveryId}::uuid), ${now}
      ) AS at
    ), earlier AS (
      SELECT coalesce(array_agg(day), '{}') AS days
      FROM suppression AS stored, refused, unnest(stored.full_days) AS day
      WHERE stored.address = ${address} AND day BETWEEN ${day}::date - ${windowDays}::int AND ${day}::date
        AND NOT EXISTS (
          SELECT 1
          FROM (
            SELECT id FROM delivery_run
            WHERE archived_at IS NULL AND created_at > ${now}::timestamptz - make_interval(days => ${windowDays + 2}::int)
          ) AS run
          JOIN member ON member.email = stored.address
          JOIN delivery ON delivery.run_id = run.id AND delivery.member_id = member.id
          WHERE delivery.recipient = stored.address AND delivery.state IN ('sent', 'delivered')
            AND delivery.sent_at > stored.full_at AND delivery.sent_at < refused.at
        )
    ), counted AS (
      SELECT ARRAY(SELECT DISTINCT day FROM unnest(earlier.days || ${day}::date) AS day ORDER BY day) AS days, refused.at
      FROM earlier, refused
    )
    INSERT INTO suppression AS stored (address, kind, reason, full_days, full_at)
    SELECT member.email, 'bounce', left(${reason}, 300), counted.days, counted.at
    FROM (SELECT email FROM member WHERE email = ${address} LIMIT 1) AS member, counted
    ON CONFLICT (address) DO UPDATE SET
      full_days = excluded.full_days,
      full_at = greatest(stored.full_at, excluded.full_at),
      kind = CASE WHEN stored.suppressed_at IS NULL THEN 'bounce' ELSE stored.kind END,
      reason = CASE WHEN stored.suppressed_at IS NULL THEN excluded.reason ELSE stored.reason END,
      suppressed_at = coalesce(
        stored.suppressed_at, CASE WHEN cardinality(excluded.full_days) >= ${maxDays}::int THEN ${now}::timestamptz END
      )`
}
