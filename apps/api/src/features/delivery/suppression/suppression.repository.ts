import type { Suppression } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'

export type SuppressionRow = Pick<Suppression, 'kind'> & { suppressedAt: Date }

type Report = { address: string; reason: string; now: Date }

/** Returns why nothing is sent to an address; null if it is. */
export async function findSuppression(db: Db, address: string): Promise<SuppressionRow | null> {
  const row = await db.suppression.findUnique({ where: { address } })
  return row?.suppressedAt == null ? null : { kind: row.kind, suppressedAt: row.suppressedAt }
}

/** An address to which nothing is sent, and why. */
export type AddressSuppression = Pick<Suppression, 'address' | 'kind' | 'reason'> & { suppressedAt: Date }

/** Lists those of the addresses and numbers to which nothing is sent. */
export async function listSuppressions(db: Db, addresses: readonly string[]): Promise<AddressSuppression[]> {
  const rows = await db.suppression.findMany({
    where: { address: { in: [...addresses] }, suppressedAt: { not: null } },
    select: { address: true, kind: true, reason: true, suppressedAt: true },
  })
  return rows.flatMap(({ suppressedAt, ...row }) => (suppressedAt === null ? [] : [{ ...row, suppressedAt }]))
}

/** Counts a bounce of a member's address, and suppresses it with the last one allowed. */
export async function countBounce(tx: Db, { address, reason, now }: Report, limit: number): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO suppression AS stored (address, kind, reason, bounces, suppressed_at)
    SELECT email, 'bounce', ${reason}, 1, CASE WHEN ${limit}::int <= 1 THEN ${now}::timestamptz END
    FROM member WHERE email = ${address} LIMIT 1
    ON CONFLICT (address) DO UPDATE SET
      bounces = stored.bounces + 1,
      kind = CASE WHEN stored.suppressed_at IS NULL THEN 'bounce' ELSE stored.kind END,
      reason = CASE WHEN stored.suppressed_at IS NULL THEN excluded.reason ELSE stored.reason END,
      suppressed_at = coalesce(
        stored.suppressed_at,
        CASE WHEN stored.bounces + 1 >= ${limit}::int THEN ${now}::timestamptz END
      )`
}

/** Suppresses a member's address that complained. */
export async function suppressComplaint(tx: Db, { address, reason, now }: Report): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO suppression (address, kind, reason, suppressed_at)
    SELECT email, 'complaint', ${reason}, ${now} FROM member WHERE email = ${address} LIMIT 1
    ON CONFLICT (address) DO UPDATE SET
      kind = 'complaint', reason = excluded.reason,
      suppressed_at = coalesce(suppression.suppressed_at, excluded.suppressed_at)`
}

/** Forgets earlier bounces of an address that receives again. */
export async function resetBounces(tx: Db, address: string): Promise<void> {
  const data = { bounces: 0, fullDays: [], fullAt: null }
  await tx.suppression.updateMany({ where: { address, suppressedAt: null }, data })
}

/** Sends to an address again. */
export async function liftSuppression(db: Db, address: string, now: Date): Promise<void> {
  await db.suppression.updateMany({
    where: { address, suppressedAt: { not: null } },
    data: { suppressedAt: null, liftedAt: now, bounces: 0, fullDays: [], fullAt: null },
  })
}
