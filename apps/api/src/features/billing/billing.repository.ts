import type { PaymentEvent } from '#generated/prisma/client.ts'
import type { PaymentAccount } from '#integrations/payments/payment-gateway.ts'
import type { Db, Sql } from '#platform/database.ts'

/** Returns the account that the database belongs to; null before the first `tidings payments sync`. */
export async function findPaymentAccount(db: Db): Promise<PaymentAccount | null> {
  const row = await db.paymentAccount.findUnique({ where: { id: 1 } })
  return row === null ? null : { id: row.accountId, isLive: row.livemode }
}

/** Binds the database to an account, unless it is already bound. */
export async function storePaymentAccount(db: Db, { id, isLive }: PaymentAccount, now: Date): Promise<void> {
  const row = { id: 1, accountId: id, livemode: isLive, boundAt: now }
  await db.paymentAccount.createMany({ data: [row], skipDuplicates: true })
}

/** Stores an event. Returns false if it is already stored. */
export async function claimEvent(
  tx: Sql,
  { id, type, customerId, createdAt, receivedAt }: PaymentEvent,
): Promise<boolean> {
  const claimed = await tx.$queryRaw`
    INSERT INTO payment_event (id, type, customer_id, created_at, received_at)
    VALUES (${id}, ${type}, ${customerId}, ${createdAt}, ${receivedAt})
    ON CONFLICT DO NOTHING
    RETURNING id`
  return claimed.length === 1
}

/** Removes the events received before an instant. */
export async function removeOldEvents(db: Db, before: Date): Promise<void> {
  await db.paymentEvent.deleteMany({ where: { receivedAt: { lt: before } } })
}

/** Returns when an event was last accepted; null for never. */
export async function findLastEventTime(db: Db): Promise<Date | null> {
  const row = await db.paymentEvent.findFirst({
    orderBy: { receivedAt: 'desc' },
    select: { receivedAt: true },
  })
  return row?.receivedAt ?? null
}
