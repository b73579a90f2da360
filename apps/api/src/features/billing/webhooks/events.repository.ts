import type { PaymentEvent } from '#generated/prisma/client.ts'
import type { Db } from '#platform/database.ts'

/** Stores an event; returns whether its id is new. */
export async function claimEvent(tx: Db, event: PaymentEvent): Promise<boolean> {
  const { count } = await tx.paymentEvent.createMany({ data: [event], skipDuplicates: true })
  return count === 1
}

/** Removes the events received before an instant. */
export async function removeOldEvents(db: Db, before: Date): Promise<void> {
  await db.paymentEvent.deleteMany({ where: { receivedAt: { lt: before } } })
}
