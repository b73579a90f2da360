import { z } from 'zod'
import { Prisma } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { queryRows } from '#platform/query-rows.ts'

const countedDaySchema = z.object({
  day: z.date(),
  domain: z.string(),
  sent: z.int(),
  delivered: z.int(),
  bounced: z.int(),
  complained: z.int(),
  refused: z.int(),
})

export type CountedDay = z.infer<typeof countedDaySchema>

type Cursor = Pick<CountedDay, 'day' | 'sent' | 'domain'>

const sums = Prisma.sql`
  sum(sent)::int AS sent, sum(delivered)::int AS delivered, sum(bounced)::int AS bounced,
  sum(complained)::int AS complained, sum(refused)::int AS refused`

/** Lists the results of these days' emails by receiving domain: the newest day first, in it the most sent. */
export async function listDeliverability(
  db: Db,
  days: { from: Date; to: Date; domain: string | undefined },
  { limit, after }: { limit: number; after: Cursor | undefined },
  timeZone: string,
): Promise<CountedDay[]> {
  const { from, to, domain } = days
  const isDomain = domain === undefined ? Prisma.empty : Prisma.sql`AND domain = ${domain}`
  const isAfter =
    after === undefined
      ? Prisma.empty
      : Prisma.sql`
          WHERE day < ${after.day}::date
            OR (day = ${after.day}::date AND (-sent, domain COLLATE "C") > (-${after.sent}::int, ${after.domain}))`
  return await queryRows(db, countedDaySchema)`
    SELECT * FROM (
      SELECT (at AT TIME ZONE ${timeZone})::date AS day, domain, ${sums}
      FROM deliverability
      WHERE at >= ${from}::date::timestamp AT TIME ZONE ${timeZone}
        AND at < (${to}::date + 1)::timestamp AT TIME ZONE ${timeZone} ${isDomain}
      GROUP BY 1, 2
    ) AS counted ${isAfter}
    ORDER BY day DESC, sent DESC, domain COLLATE "C" LIMIT ${limit}`
}

/** Counts a spam complaint of a reader whose delivery is not known. */
export async function countComplaint(tx: Db, address: string, now: Date): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO deliverability AS counted (at, domain, backend, complained)
    SELECT date_bin('15 minutes', ${now}, timestamptz '2000-01-01 00:00Z'), receiving_domain(email), pg_backend_pid(), 1
    FROM member WHERE email = ${address} LIMIT 1
    ON CONFLICT (at, domain, backend) DO UPDATE SET complained = counted.complained + 1`
}

/** Merges the rows of each day before an instant into one for each domain. Later counts are merged the next time. */
export async function mergeDays(db: Db, before: Date, timeZone: string): Promise<void> {
  const midnight = Prisma.sql`(at AT TIME ZONE ${timeZone})::date::timestamp AT TIME ZONE ${timeZone}`
  await db.$executeRaw`
    WITH old AS (
      DELETE FROM deliverability WHERE at < ${before} AND (backend <> 0 OR at <> ${midnight}) RETURNING *
    )
    INSERT INTO deliverability AS merged (at, domain, backend, sent, delivered, bounced, complained, refused)
    SELECT ${midnight}, domain, 0, ${sums} FROM old GROUP BY 1, 2
    ON CONFLICT (at, domain, backend) DO UPDATE SET
      sent = merged.sent + excluded.sent, delivered = merged.delivered + excluded.delivered,
      bounced = merged.bounced + excluded.bounced, complained = merged.complained + excluded.complained,
      refused = merged.refused + excluded.refused`
}

export async function removeDays(db: Db, before: Date): Promise<void> {
  await db.deliverability.deleteMany({ where: { at: { lt: before } } })
}
