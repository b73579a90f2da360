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
