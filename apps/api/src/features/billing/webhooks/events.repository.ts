import type { PaymentEvent } from '#generated/prisma/client.ts'
import type { Db, Sql } from '#platform/database.ts'

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
