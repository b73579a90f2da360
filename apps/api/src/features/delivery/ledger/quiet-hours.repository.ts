import { type DeliveryMethod, Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'

/** When no text is sent, in minutes after midnight. It may span midnight. */
export type QuietHours = { from: number; until: number }

/** The reason of deliveries that wait for the end of quiet hours. */
export const quietReason = 'quiet-hours'

type Postponed = {
  runId: number
  methods: readonly DeliveryMethod[]
  quietHours: QuietHours
  /** Of members whose own is not known. */
  timeZone: string
  now: Date
}

/** Postpones deliveries to members whose local time is in the quiet hours until these end. */
export async function postponeQuiet(
  db: Db,
  { runId, methods, quietHours: { from, until }, timeZone, now }: Postponed,
): Promise<void> {
  const minutes = Prisma.sql`(extract(hour FROM local.time) * 60 + extract(minute FROM local.time))`
  const isQuiet =
    from < until
      ? Prisma.sql`${minutes} >= ${from} AND ${minutes} < ${until}`
      : Prisma.sql`(${minutes} >= ${from} OR ${minutes} < ${until})`
  // One sender of a run after another, because each locks the same deliveries in an order of its own.
  await db.$executeRaw`
    UPDATE delivery SET
      updated_at = ${now}, reason = ${quietReason},
      next_attempt_at = (
        date_trunc('day', local.time) + make_interval(
          days => CASE WHEN ${minutes} < ${until} THEN 0 ELSE 1 END, mins => ${until}::int
        )
      ) AT TIME ZONE local.zone
    FROM member
    LEFT JOIN member_phone AS phone ON phone.member_id = member.id
    CROSS JOIN LATERAL (
      SELECT coalesce(phone.time_zone, ${timeZone}) AS zone,
        ${now}::timestamptz AT TIME ZONE coalesce(phone.time_zone, ${timeZone}) AS time
    ) AS local
    WHERE (SELECT pg_advisory_xact_lock(hashtext('quiet hours'), ${runId}::int) IS NOT NULL)
      AND delivery.run_id = ${runId} AND delivery.state = 'planned'
      AND delivery.method = ANY(${[...methods]}::delivery_method[]) AND delivery.member_id = member.id
      AND (delivery.next_attempt_at IS NULL OR delivery.next_attempt_at <= ${now})
      AND ${isQuiet}`
}
