import type { PaymentRefund, RefundStatus } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'

export type RefundRow = PaymentRefund

export async function findRefundRow(db: Db, paymentIntentId: string): Promise<RefundRow | null> {
  return await db.paymentRefund.findUnique({ where: { paymentIntentId } })
}

/** Stores a payment's refund. Returns false if one is already stored. */
export async function createRefundRow(tx: Db, row: RefundRow): Promise<boolean> {
  const { count } = await tx.paymentRefund.createMany({ data: [row], skipDuplicates: true })
  return count === 1
}

/** Stores a newer status. Returns false if it is already stored. */
export async function updateRefundRow(
  tx: Db,
  { paymentIntentId, status, refundId, amount, updatedAt }: RefundRow,
): Promise<boolean> {
  const { count } = await tx.paymentRefund.updateMany({
    where: { paymentIntentId, NOT: { status, refundId } },
    data: { status, refundId, amount, updatedAt },
  })
  return count === 1
}

export async function listRefundRows(db: Db, status: RefundStatus): Promise<RefundRow[]> {
  return await db.paymentRefund.findMany({ where: { status }, orderBy: { createdAt: 'desc' } })
}

/** Returns a customer's refunds since an instant, or all of them, oldest first. */
export async function listRefundsSince(
  db: Db,
  customerId: string,
  since: Date | null,
): Promise<Pick<RefundRow, 'amount' | 'currency' | 'status'>[]> {
  return await db.paymentRefund.findMany({
    where: { customerId, ...(since !== null && { createdAt: { gte: since } }) },
    orderBy: { createdAt: 'asc' },
    select: { amount: true, currency: true, status: true },
  })
}
