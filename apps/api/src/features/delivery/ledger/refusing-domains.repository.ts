import { Prisma, type RefusingDomain } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'
import { backoffMinutes, longestRetryMs } from '../retry-times.ts'

/** A domain that refuses us. Its messages wait until `retryAt`; null if only reports name it, for which none waits. */
export type RefusingDomainRow = Pick<
  RefusingDomain,
  'domain' | 'since' | 'refusals' | 'firstReply' | 'retryAt' | 'lastRefusedAt'
>

/** The time limit of a domain's probe. After it, a second one is tried. */
const probeMs = 120_000
/** After so long without a refusal, a domain no longer counts as refusing. */
const rememberedMs = 24 * 3_600_000
const maxListed = 50
/** More would exceed the time of one statement. */
const maxFailed = 20_000

function since(now: Date): Date {
  return new Date(now.getTime() - rememberedMs)
}

/** Lists the domains that refuse us now, most refusals first. */
export async function listRefusingDomains(db: Db, now: Date): Promise<RefusingDomainRow[]> {
  return await db.refusingDomain.findMany({
    where: { lastRefusedAt: { gt: since(now) } },
    orderBy: [{ refusals: 'desc' }, { domain: 'asc' }],
    take: maxListed,
  })
}

/** Counts the refusals of all domains that refuse us now. */
export async function countRefusals(db: Db, now: Date): Promise<number> {
  const where = { lastRefusedAt: { gt: since(now) } }
  const { _sum: sum } = await db.refusingDomain.aggregate({ where, _sum: { refusals: true } })
  return sum.refusals ?? 0
}

/** Lists the domains whose messages wait now, with the time until which they wait and their first reply. */
export async function listWaitingDomains(
  db: Db,
  now: Date,
): Promise<{ domain: string; until: Date; reply: string }[]> {
  const rows = await db.refusingDomain.findMany({
    where: { retryAt: { gt: now } },
    orderBy: { domain: 'asc' },
  })
  return rows.flatMap(({ domain, retryAt, firstReply }) =>
    retryAt === null ? [] : [{ domain, until: retryAt, reply: firstReply }],
  )
}

/** Selects whether messages to a column's address wait because their domain refuses us. */
export function isWaiting(address: Prisma.Sql, now: Date): Prisma.Sql {
  // Hashed once for a statement: a widely used block list can make thousands of domains wait.
  return Prisma.sql`receiving_domain(${address}) IN (SELECT domain FROM refusing_domain WHERE retry_at > ${now})`
}

/**
 * Selects the messages of `batch` that may be sent, as `admitted`: one as the probe of a domain whose wait is over, and
 * no other one while this is out. No two workers try the same domain.
 */
export function admitted(now: Date): Prisma.Sql {
  return Prisma.sql`probed AS (
      UPDATE refusing_domain SET retry_at = ${new Date(now.getTime() + probeMs)}
      WHERE domain IN (
        SELECT domain FROM refusing_domain
        WHERE retry_at <= ${now} AND domain IN (SELECT receiving_domain(recipient) FROM batch)
        FOR UPDATE SKIP LOCKED
      )
      RETURNING domain
    ), admitted AS (
      SELECT DISTINCT ON (coalesce(refusing.domain, batch.id::text))
        batch.*, refusing.domain IS NOT NULL AS is_probe
      FROM batch
      LEFT JOIN refusing_domain AS refusing
        ON refusing.domain = receiving_domain(batch.recipient) AND refusing.retry_at IS NOT NULL
      WHERE refusing.domain IS NULL OR refusing.domain IN (SELECT domain FROM probed)
      ORDER BY coalesce(refusing.domain, batch.id::text), batch.id
    )`
}

type DomainRefusal = { address: string; reply: string; now: Date }

/** Counts refusals of a day, and of a domain since the first one. */
function count({ address, reply, now }: DomainRefusal, retryAt: Date | null, change: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    WITH counted AS (
      INSERT INTO deliverability AS counted (at, domain, backend, refused)
      VALUES (date_bin('15 minutes', ${now}, timestamptz '2000-01-01 00:00Z'), receiving_domain(${address}), pg_backend_pid(), 1)
      ON CONFLICT (at, domain, backend) DO UPDATE SET refused = counted.refused + 1
    )
    INSERT INTO refusing_domain AS stored
      (domain, since, refusals, first_reply, last_reply, last_refused_at, waits, retry_at)
    VALUES (
      receiving_domain(${address}), ${now}, 1, left(${reply}, 300), left(${reply}, 300), ${now},
      ${retryAt === null ? 0 : 1}, ${retryAt}
    )
    ON CONFLICT (domain) DO UPDATE SET
      refusals = stored.refusals + 1, last_reply = excluded.last_reply, last_refused_at = excluded.last_refused_at
      ${change}`
}

/**
 * Counts that a server refused us, and lets the domain's other messages wait. They wait longer after each probe that is
 * refused, but not for each of the messages that were on their way together.
 */
export async function recordDomainRefusal(
  db: Db,
  refusal: DomainRefusal,
  { isProbe }: { isProbe: boolean },
): Promise<void> {
  const first = new Date(refusal.now.getTime() + backoffMinutes[0] * 60_000)
  const minutes = Prisma.sql`(${[...backoffMinutes]}::int[])[least(stored.waits + 1, ${backoffMinutes.length}::int)]`
  await db.$executeRaw(
    count(
      refusal,
      first,
      Prisma.sql`,
      waits = CASE WHEN ${isProbe} OR stored.retry_at IS NULL THEN least(stored.waits + 1, 1000) ELSE stored.waits END,
      retry_at = CASE
        WHEN ${isProbe} OR stored.retry_at IS NULL
          THEN ${refusal.now}::timestamptz + make_interval(mins => ${minutes})
        ELSE stored.retry_at
      END`,
    ),
  )
}

/** Counts a refusal in a report. Nothing waits, because an accepted message can't be tried again. */
export async function countReportedRefusal(db: Db, refusal: DomainRefusal): Promise<void> {
  await db.$executeRaw(count(refusal, null, Prisma.empty))
}

/** Ends the refusal by a domain, because it accepted a message. */
export async function openDomain(db: Db, address: string): Promise<void> {
  await db.$executeRaw`DELETE FROM refusing_domain WHERE domain = receiving_domain(${address})`
}

/** Fails some deliveries that have waited six hours for a domain, with its reply. Returns how many. */
export async function failRefused(
  db: Db,
  { id, sendAfter }: { id: number; sendAfter: Date },
  now: Date,
): Promise<number> {
  const before = new Date(now.getTime() - longestRetryMs)
  if (sendAfter > before) return 0
  return await db.$executeRaw`
    WITH waiting AS (
      SELECT delivery.id, refusing.last_reply
      FROM delivery JOIN refusing_domain AS refusing ON refusing.domain = receiving_domain(delivery.recipient)
      WHERE delivery.run_id = ${id} AND delivery.state = 'planned'
        AND refusing.retry_at IS NOT NULL AND refusing.since <= ${before}
        AND (SELECT state FROM delivery_run WHERE id = ${id}) = 'sending'
      LIMIT ${maxFailed} FOR UPDATE OF delivery SKIP LOCKED
    )
    UPDATE delivery SET
      state = 'failed', reason = waiting.last_reply, next_attempt_at = NULL, updated_at = ${now}
    FROM waiting WHERE delivery.id = waiting.id`
}

/** Removes domains that have not refused us for a day. */
export async function removeOldRefusals(db: Db, now: Date): Promise<void> {
  await db.refusingDomain.deleteMany({ where: { lastRefusedAt: { lte: since(now) } } })
}
