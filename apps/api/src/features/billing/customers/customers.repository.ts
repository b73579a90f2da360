import { z } from 'zod'
import type { PaymentCustomer } from '#generated/prisma/client.ts'
import type { Db, Sql } from '#platform/database.ts'
import { idRowSchema, queryRows } from '#platform/query-rows.ts'

export type CustomerRow = PaymentCustomer

export async function findCustomer(db: Db, id: string): Promise<CustomerRow | null> {
  return await db.paymentCustomer.findUnique({ where: { id } })
}

export async function listCustomers(db: Db, ids: readonly string[]): Promise<CustomerRow[]> {
  return await db.paymentCustomer.findMany({ where: { id: { in: [...ids] } } })
}

/** Stores the customer of a member, whose row the caller holds. Returns the id that was stored first. */
export async function storeCustomer(
  tx: Db,
  customer: { id: string; appId: string; memberId: string; now: Date },
): Promise<string> {
  const { id, appId, memberId, now } = customer
  const where = { id: memberId }
  const known = await tx.member.findUniqueOrThrow({ where, select: { stripeCustomerId: true } })
  if (known.stripeCustomerId !== null && known.stripeCustomerId !== id) return known.stripeCustomerId
  await tx.member.update({ where, data: { stripeCustomerId: id }, select: { id: true } })
  await tx.paymentCustomer.upsert({
    where: { id },
    create: { id, appId, memberId, createdAt: now },
    update: { memberId },
  })
  return id
}

/** Stores that the member has deleted the account. */
export async function markDeletionRequested(tx: Db, id: string, now: Date): Promise<void> {
  await tx.paymentCustomer.updateMany({ where: { id }, data: { deletionRequestedAt: now } })
}

/** Stores the ended subscriptions without unpaid or unrefunded invoices. */
export async function storeSettled(db: Db, id: string, settledSubscriptionIds: string[]): Promise<void> {
  await db.paymentCustomer.updateMany({ where: { id }, data: { settledSubscriptionIds } })
}

/** Stores a new checkout, which is open until an instant. Returns its number among the customer's checkouts. */
export async function recordCheckout(tx: Db, id: string, until: Date): Promise<number> {
  const { checkoutCount } = await tx.paymentCustomer.update({
    where: { id },
    data: { checkoutCount: { increment: 1 }, checkoutOpenUntil: until },
    select: { checkoutCount: true },
  })
  return checkoutCount
}

/** A customer whose lease a sync has, with its token and when the sync was requested, if it was. */
export type LeasedCustomer = CustomerRow & { leaseToken: string; requestedAt: Date | null }

type Lease = Pick<LeasedCustomer, 'id' | 'leaseToken'>

const needsJobRowSchema = z.object({ id: z.string(), needsJob: z.boolean() })
const takenRowSchema = z.object({ requestedAt: z.date().nullable() })
const requestedRowSchema = z.object({ isRequested: z.boolean() })

/** Longer than the calls between two renewals take. */
const leaseMs = 5 * 60_000

/** Requests syncs. Returns the customers that need a job: without a pending request or a sync that will repeat itself. */
export async function markSyncsRequested(tx: Sql, ids: readonly string[], now: Date): Promise<string[]> {
  if (ids.length === 0) return []
  // Locks customers in id order, because other processes may request the same ones.
  const rows = await queryRows(tx, needsJobRowSchema)`
    WITH customer AS (
      SELECT id, CASE WHEN leased_until IS NULL THEN sync_requested_at IS NULL ELSE leased_until <= ${now} END AS needs_job
      FROM payment_customer WHERE id = ANY(${ids}) ORDER BY id FOR UPDATE
    )
    UPDATE payment_customer SET sync_requested_at = coalesce(sync_requested_at, ${now})
    FROM customer
    WHERE payment_customer.id = customer.id
    RETURNING payment_customer.id, needs_job AS "needsJob"`
  return rows.filter(({ needsJob }) => needsJob).map(({ id }) => id)
}

/** Takes a customer's lease and clears its request. Returns null while another sync has the lease. */
export async function takeLease(
  db: Db,
  { id, leaseToken }: Lease,
  now: Date,
): Promise<LeasedCustomer | null> {
  const [taken] = await queryRows(db, takenRowSchema)`
    UPDATE payment_customer customer
    SET lease_owner = ${leaseToken}::uuid, leased_until = ${leaseEnd(now)}, sync_requested_at = NULL
    FROM (SELECT id, sync_requested_at FROM payment_customer WHERE id = ${id} FOR UPDATE) former
    WHERE customer.id = former.id AND (leased_until IS NULL OR leased_until <= ${now})
    RETURNING former.sync_requested_at AS "requestedAt"`
  const customer = taken === undefined ? null : await findCustomer(db, id)
  return customer && taken ? { ...customer, ...taken, leaseToken } : null
}

/** Extends a lease. Returns false if another sync has it now. */
export async function renewLease(db: Db, { id, leaseToken }: Lease, now: Date): Promise<boolean> {
  const where = { id, leaseOwner: leaseToken }
  const { count } = await db.paymentCustomer.updateMany({ where, data: { leasedUntil: leaseEnd(now) } })
  return count === 1
}

function leaseEnd(now: Date): Date {
  return new Date(now.getTime() + leaseMs)
}

/**
 * Stores a sync and releases its lease. Returns whether another sync was requested meanwhile, or null if another one has
 * the lease. A running subscription closes the open checkout.
 */
export async function completeSync(
  tx: Db,
  { id, leaseToken, settledSubscriptionIds }: LeasedCustomer,
  { isPaying, now }: { isPaying: boolean; now: Date },
): Promise<{ isRequested: boolean } | null> {
  const rows = await queryRows(tx, requestedRowSchema)`
    UPDATE payment_customer
    SET lease_owner = NULL, leased_until = NULL, synced_at = ${now}, settled_subscription_ids = ${settledSubscriptionIds},
      checkout_open_until = CASE WHEN ${isPaying} THEN NULL ELSE checkout_open_until END
    WHERE id = ${id} AND lease_owner = ${leaseToken}::uuid
    RETURNING sync_requested_at IS NOT NULL AS "isRequested"`
  return rows[0] ?? null
}

/** Releases the lease of a failed sync, whose request is pending again. Returns whether one was made meanwhile. */
export async function releaseLease(
  tx: Db,
  { id, leaseToken, requestedAt }: LeasedCustomer,
): Promise<boolean> {
  const [released] = await queryRows(tx, requestedRowSchema)`
    UPDATE payment_customer customer
    SET lease_owner = NULL, leased_until = NULL,
      sync_requested_at = least(customer.sync_requested_at, ${requestedAt}::timestamptz)
    FROM (SELECT id, sync_requested_at FROM payment_customer WHERE id = ${id} FOR UPDATE) former
    WHERE customer.id = former.id AND lease_owner = ${leaseToken}::uuid
    RETURNING former.sync_requested_at IS NOT NULL AS "isRequested"`
  return released?.isRequested ?? false
}

/** Returns customers whose sync was interrupted, or requested before an instant and never started. */
export async function listOverdueSyncs(
  db: Db,
  { now, before }: { now: Date; before: Date },
  limit: number,
): Promise<string[]> {
  const rows = await queryRows(db, idRowSchema)`
    SELECT id FROM payment_customer
    WHERE leased_until <= ${now} OR leased_until IS NULL AND sync_requested_at < ${before}
    ORDER BY coalesce(sync_requested_at, leased_until) LIMIT ${limit}`
  return rows.map(({ id }) => id)
}

/** Returns customers whose plan is open although their grace period is over. */
export async function listGraceExpired(db: Db, pastDueBefore: Date, limit: number): Promise<string[]> {
  const rows = await queryRows(db, idRowSchema)`
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
