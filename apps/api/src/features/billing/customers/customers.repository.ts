import type { PaymentCustomer } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'

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

/** Stores that a member deletes the account. Returns since when: an attempt after `expiredBefore` keeps its time. */
export async function markDeletionRequested(
  db: Db,
  id: string,
  { now, expiredBefore }: { now: Date; expiredBefore: Date },
): Promise<Date> {
  const [row] = await db.$queryRaw<{ requestedAt: Date }[]>`
    UPDATE payment_customer
    SET deletion_requested_at =
      CASE WHEN deletion_requested_at > ${expiredBefore} THEN deletion_requested_at ELSE ${now} END
    WHERE id = ${id}
    RETURNING deletion_requested_at AS "requestedAt"`
  return row?.requestedAt ?? now
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
