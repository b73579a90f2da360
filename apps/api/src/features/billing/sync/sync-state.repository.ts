import type { Db } from '#platform/database.ts'
import type { CustomerRow } from '../customers/customers.repository.ts'

/** Asks for customers to be read anew. Answers those for which no reading was asked for yet: each needs a job. */
export async function markSyncsRequested(tx: Db, ids: readonly string[], now: Date): Promise<string[]> {
  if (ids.length === 0) return []
  // In the order of their ids: another process may ask for the same ones.
  const rows = await tx.$queryRaw<{ id: string; first: boolean }[]>`
    WITH customer AS (SELECT id FROM payment_customer WHERE id = ANY(${ids}) ORDER BY id FOR UPDATE)
    UPDATE payment_customer
    SET wanted = wanted + 1, wanted_at = CASE WHEN wanted = done THEN ${now} ELSE wanted_at END
    FROM customer
    WHERE payment_customer.id = customer.id
    RETURNING payment_customer.id, wanted - done = 1 AS first`
  return rows.filter(({ first }) => first).map(({ id }) => id)
}

/** Begins a reading: its number, and how many were wanted by then. */
export async function beginSync(db: Db, id: string): Promise<(CustomerRow & { reading: number }) | null> {
  const [row] = await db.paymentCustomer.updateManyAndReturn({
    where: { id },
    data: { begun: { increment: 1 } },
  })
  return row === undefined ? null : { ...row, reading: row.begun }
}

/**
 * Notes that a reading is stored; false when a later one was, whose truth is newer. A subscription that is paid leaves
 * no checkout to wait for.
 */
export async function completeSync(
  tx: Db,
  {
    id,
    reading,
    wanted,
    settled,
    isPaying,
  }: Pick<CustomerRow, 'id' | 'wanted' | 'settled'> & { reading: number; isPaying: boolean },
  now: Date,
): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE payment_customer
    SET stored = ${reading}, done = greatest(done, ${wanted}), read_at = ${now}, settled = ${settled},
      checkout_until = CASE WHEN ${isPaying} THEN NULL ELSE checkout_until END
    WHERE id = ${id} AND stored < ${reading}`
  return count === 1
}

/** Lets the newest reading, and no other for that time, end what the customer subscribes to; false when another does. */
export async function claimCancellation(
  db: Db,
  { id, reading }: { id: string; reading: number },
  { now, until }: { now: Date; until: Date },
): Promise<boolean> {
  const { count } = await db.paymentCustomer.updateMany({
    where: { id, begun: reading, OR: [{ endingUntil: null }, { endingUntil: { lte: now } }] },
    data: { endingUntil: until },
  })
  return count === 1
}

/** Lets go of the claim that holds until `until`, unless another reading has taken it since. */
export async function releaseCancellation(db: Db, id: string, until: Date): Promise<void> {
  await db.paymentCustomer.updateMany({ where: { id, endingUntil: until }, data: { endingUntil: null } })
}

/** Customers whose reading has been waiting since before `before`: whoever should have done it has forgotten. */
export async function listOverdueSyncs(db: Db, before: Date, most: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM payment_customer
    WHERE wanted > done AND wanted_at < ${before}
    ORDER BY wanted_at LIMIT ${most}`
  return rows.map(({ id }) => id)
}

/** Customers whose plan is still open though the time to pay is over. */
export async function listGraceExpired(db: Db, pastDueBefore: Date, most: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT customer.id
    FROM (
      SELECT member_id FROM plan_connection
      WHERE past_due_at < ${pastDueBefore} AND active
      ORDER BY past_due_at LIMIT ${most}
    ) connection
    JOIN payment_customer customer ON customer.member_id = connection.member_id`
  return rows.map(({ id }) => id)
}

const holdsPaidPlan = {
  member: { planConnections: { some: { type: { not: 'free' }, status: { not: 'CANCELED' } } } },
} as const

/** Customers after `after`, in the order of their ids, who hold a connection that has not ended. */
export async function listPayingCustomers(db: Db, after: string, most: number): Promise<CustomerRow[]> {
  return await db.paymentCustomer.findMany({
    where: { id: { gt: after }, ...holdsPaidPlan },
    orderBy: { id: 'asc' },
    take: most,
  })
}

/** Those of the customers who hold a connection that has not ended. */
export async function listPayingOf(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const where = { id: { in: [...ids] }, ...holdsPaidPlan }
  const rows = await db.paymentCustomer.findMany({ where, select: { id: true } })
  return new Set(rows.map(({ id }) => id))
}

const openAndPaid = { active: true, type: { not: 'free' as const } }

/** Returns the paid plans of customers that are open. */
export async function listOpenPlans(
  db: Db,
  customerIds: readonly string[],
): Promise<{ memberId: string; planId: string }[]> {
  return await db.planConnection.findMany({
    where: { ...openAndPaid, member: { paymentCustomer: { id: { in: [...customerIds] } } } },
    select: { memberId: true, planId: true },
  })
}

export async function countOpenPlans(db: Db): Promise<number> {
  return await db.planConnection.count({ where: openAndPaid })
}
