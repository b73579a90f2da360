import type { Db, Sql } from '#platform/database.ts'
import type { CustomerRow } from '../customers/customers.repository.ts'

export type SyncedCustomer = CustomerRow & { syncNumber: number }

/** Requests syncs. Returns the customers without a pending request, which need a job. */
export async function markSyncsRequested(tx: Sql, ids: readonly string[], now: Date): Promise<string[]> {
  if (ids.length === 0) return []
  // Locks customers in id order, because other processes may request the same ones.
  const rows = await tx.$queryRaw<{ id: string; first: boolean }>`
    WITH customer AS (SELECT id FROM payment_customer WHERE id = ANY(${ids}) ORDER BY id FOR UPDATE)
    UPDATE payment_customer
    SET syncs_requested = syncs_requested + 1,
      sync_requested_at = CASE WHEN syncs_requested = syncs_completed THEN ${now} ELSE sync_requested_at END
    FROM customer
    WHERE payment_customer.id = customer.id
    RETURNING payment_customer.id, syncs_requested - syncs_completed = 1 AS first`
  return rows.filter(({ first }) => first).map(({ id }) => id)
}

/** Starts a sync. Its number is a fencing token: a sync is discarded if a later one was stored. */
export async function beginSync(db: Db, id: string): Promise<SyncedCustomer | null> {
  const [row] = await db.paymentCustomer.updateManyAndReturn({
    where: { id },
    data: { syncsStarted: { increment: 1 } },
  })
  return row === undefined ? null : { ...row, syncNumber: row.syncsStarted }
}

/**
 * Completes a sync. Returns whether another one was requested meanwhile, or null if a later one is stored. A running
 * subscription closes the open checkout.
 */
export async function completeSync(
  tx: Db,
  { id, syncsRequested, settledSubscriptionIds, syncNumber }: SyncedCustomer,
  { isPaying, now }: { isPaying: boolean; now: Date },
): Promise<{ isRequested: boolean } | null> {
  const rows = await tx.$queryRaw<{ isRequested: boolean }[]>`
    UPDATE payment_customer
    SET last_stored_sync = ${syncNumber}, syncs_completed = greatest(syncs_completed, ${syncsRequested}),
      synced_at = ${now}, settled_subscription_ids = ${settledSubscriptionIds},
      checkout_open_until = CASE WHEN ${isPaying} THEN NULL ELSE checkout_open_until END
    WHERE id = ${id} AND last_stored_sync < ${syncNumber}
    RETURNING syncs_requested > syncs_completed AS "isRequested"`
  return rows[0] ?? null
}

/** Locks a customer's cancellations until an instant, for the latest sync only. */
export async function claimCancellation(
  db: Db,
  { id, syncNumber }: { id: string; syncNumber: number },
  { now, until }: { now: Date; until: Date },
): Promise<boolean> {
  const { count } = await db.paymentCustomer.updateMany({
    where: {
      id,
      syncsStarted: syncNumber,
      OR: [{ cancellationLockedUntil: null }, { cancellationLockedUntil: { lte: now } }],
    },
    data: { cancellationLockedUntil: until },
  })
  return count === 1
}

/** Releases the lock that expires at `until`, unless another sync has it now. */
export async function releaseCancellation(db: Db, id: string, until: Date): Promise<void> {
  await db.paymentCustomer.updateMany({
    where: { id, cancellationLockedUntil: until },
    data: { cancellationLockedUntil: null },
  })
}

/** Returns customers whose sync was requested before an instant and never completed. */
export async function listOverdueSyncs(db: Db, before: Date, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM payment_customer
    WHERE syncs_requested > syncs_completed AND sync_requested_at < ${before}
    ORDER BY sync_requested_at LIMIT ${limit}`
  return rows.map(({ id }) => id)
}

/** Returns customers whose plan is open although their grace period is over. */
export async function listGraceExpired(db: Db, pastDueBefore: Date, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT customer.id
    FROM (
      SELECT member_id FROM plan_connection
      WHERE past_due_at < ${pastDueBefore} AND active
      ORDER BY past_due_at LIMIT ${limit}
    ) connection
    JOIN payment_customer customer ON customer.member_id = connection.member_id`
  return rows.map(({ id }) => id)
}

const holdsPaidPlan = {
  member: { planConnections: { some: { type: { not: 'free' }, status: { not: 'CANCELED' } } } },
} as const

/** Returns a page of the customers with a paid connection, by id. */
export async function listPayingCustomers(db: Db, after: string, limit: number): Promise<CustomerRow[]> {
  return await db.paymentCustomer.findMany({
    where: { id: { gt: after }, ...holdsPaidPlan },
    orderBy: { id: 'asc' },
    take: limit,
  })
}

/** Returns those of the customers with a paid connection. */
export async function listPayingOf(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const where = { id: { in: [...ids] }, ...holdsPaidPlan }
  const rows = await db.paymentCustomer.findMany({ where, select: { id: true } })
  return new Set(rows.map(({ id }) => id))
}

const openAndPaid = { active: true, type: { not: 'free' as const } }

export async function listOpenPlans(db: Db, customerIds: readonly string[]) {
  return await db.planConnection.findMany({
    where: { ...openAndPaid, member: { paymentCustomer: { id: { in: [...customerIds] } } } },
    select: { memberId: true, planId: true },
  })
}

export async function countOpenPlans(db: Db): Promise<number> {
  return await db.planConnection.count({ where: openAndPaid })
}
