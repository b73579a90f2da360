import type { PaymentCustomer } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'

export type CustomerRow = PaymentCustomer

export async function findCustomer(db: Db, id: string): Promise<CustomerRow | null> {
  return await db.paymentCustomer.findUnique({ where: { id } })
}

/** The customers of these ids, as far as they are ours. */
export async function listCustomers(db: Db, ids: readonly string[]): Promise<CustomerRow[]> {
  return await db.paymentCustomer.findMany({ where: { id: { in: [...ids] } } })
}

/**
 * Notes on a member, whose row the caller holds, who they are at the payment service. Answers the id that was noted
 * first.
 */
export async function storeCustomer(
  tx: Db,
  customer: { id: string; appId: string; memberId: string; now: Date },
): Promise<string> {
  const { id, appId, memberId, now } = customer
  const known = await tx.member.findUniqueOrThrow({
    where: { id: memberId },
    select: { stripeCustomerId: true },
  })
  if (known.stripeCustomerId !== null && known.stripeCustomerId !== id) return known.stripeCustomerId
  await tx.member.update({
    where: { id: memberId },
    data: { stripeCustomerId: id },
    select: { id: true },
  })
  await tx.paymentCustomer.upsert({
    where: { id },
    create: { id, appId, memberId, createdAt: now },
    update: { memberId },
  })
  return id
}

/** Notes that a member wants to leave; answers since when, which a try after `forgottenBefore` goes on from. */
export async function markDeletionRequested(
  db: Db,
  id: string,
  { now, forgottenBefore }: { now: Date; forgottenBefore: Date },
): Promise<Date> {
  const [row] = await db.$queryRaw<{ leavingAt: Date }[]>`
    UPDATE payment_customer
    SET leaving_at = CASE WHEN leaving_at > ${forgottenBefore} THEN leaving_at ELSE ${now} END
    WHERE id = ${id}
    RETURNING leaving_at AS "leavingAt"`
  return row?.leavingAt ?? now
}

/** Notes that a member opens a checkout that can be paid until an instant. Returns its number among the customer's. */
export async function recordCheckout(tx: Db, id: string, until: Date): Promise<number> {
  const { checkouts } = await tx.paymentCustomer.update({
    where: { id },
    data: { checkouts: { increment: 1 }, checkoutUntil: until },
    select: { checkouts: true },
  })
  return checkouts
}
